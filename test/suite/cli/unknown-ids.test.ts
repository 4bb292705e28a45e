import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const UUID = '0b0e0f3a-7d5e-4c55-9d1c-3a2b1c0d9e8f'

let service: TestService
let talhouse: CommandLine
let client: string
beforeAll(async () => {
  service = await startService()
  talhouse = await openCommandLine(service, { TALHOUSE_SERVICE_DATABASE_URL: service.postgres.url })
  client = service.client.client_id
})
afterAll(async () => {
  await talhouse[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

describe('unknown and malformed IDs', () => {
  it.each([
    'clients show nope',
    'clients update nope --plan x',
    'keys create nope',
    'keys list nope',
    'keys revoke nope',
    `keys revoke ${UUID}`,
    'units show nope',
    'units grant nope 5',
    'units ledger nope',
    'task show nope',
    `task show ${UUID}`,
    'task wait nope',
    'webhooks show nope',
    'webhooks rotate nope',
    'webhooks deliveries nope',
    'webhooks deliveries CLIENT --task nope',
    'webhooks replay nope nope',
    'webhooks replay CLIENT nope',
    `webhooks replay CLIENT ${UUID}`,
    'run nope',
    'runs list nope',
    'runs show 999',
    'backfill run 999',
    'backfill pause 999',
    'backfill resume 999',
    'backfill retry-failed 999',
    'snapshot verify nope',
    'snapshot diff nope nope',
    'company show nope.example',
  ])('exits with 5 for an unknown or malformed ID: talhouse %s', async (line) => {
    const { code, out, err } = await talhouse.run(...line.replace('CLIENT', client).split(' '))
    expect(err).toMatch(/^talhouse: .*\.\n$/)
    expect({ code, out }).toEqual({ code: 5, out: '' })
  })

  it('a separate process exits with 5 for an unknown ID', async () => {
    const { code, out, err } = await talhouse.start('clients', 'show', 'nope').ended
    expect({ code, out, err }).toEqual({ code: 5, out: '', err: expect.stringMatching(/^talhouse: .*\.\n$/) })
  })
})

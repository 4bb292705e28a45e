import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
let talhouse: CommandLine
beforeAll(async () => {
  service = await startService({ plan: { units_per_period: 12 } })
  talhouse = await openCommandLine(service)
})
afterAll(async () => {
  await talhouse[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

describe('talhouse company', () => {
  it('talhouse company suggests enrichment for an unknown company', async () => {
    expect(await talhouse.run('company', 'show', 'acme.example')).toMatchObject({
      code: 5,
      err: expect.stringContaining('Enrich it with `talhouse company enrich acme.example`.'),
    })
  })

  it('talhouse company enriches a company and prints the charge and the next commands', async () => {
    const { code, out } = await talhouse.run('company', 'enrich', 'acme.example', '--leadership', '--signals')
    const { tasks } = (await service.call<{ tasks: { id: string }[] }>('GET', '/v2/tasks')).body
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'acme.example will be enriched. Poll the task.',
        '9 units charged, 3 remaining.',
        `Wait for it: talhouse task wait ${tasks[0]?.id}`,
        'Show it:     talhouse company show acme.example\n',
      ].join('\n'),
    )
  })

  it('talhouse company prints JSON, and exits with 6 if units are insufficient', async () => {
    const { out } = await talhouse.run('company', 'enrich', 'https://www.other.example/about', '--json')
    expect(JSON.parse(out)).toMatchObject({ status: 'queued', units_charged: 1, units_remaining: 2 })
    const refused = await talhouse.run('company', 'enrich', 'third.example', '--signals')
    expect(refused).toMatchObject({ code: 6, err: expect.stringContaining('4 required, 2 available') })
  })

  it('talhouse company suggests --force for a fresh company', async () => {
    await service.db
      .insertInto('company')
      .values({ domain: 'fresh.example', enriched_at: new Date().toISOString() })
      .execute()
    const { code, out } = await talhouse.run('company', 'enrich', 'fresh.example')
    expect(code).toBe(0)
    expect(out).toContain(
      'fresh.example is fresh, so no units were charged. Use `--force` to enrich it again.\n0 units charged',
    )
  })

  it('talhouse company rejects an invalid domain', async () => {
    expect(await talhouse.run('company', 'enrich', 'no domain')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no domain'),
    })
  })
})

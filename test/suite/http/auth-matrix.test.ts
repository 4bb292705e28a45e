import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/api-key.ts'
import { createApiKey, revokeApiKey } from '../../../src/auth/api-keys.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

/** What only one client knows: its tags and where it is called back. Companies are one shared store: that one is there is no secret. */
const CANARY = 'canary-of-the-owner.example'

let service: TestService
let owner: TestCaller
let stranger: TestCaller
let expired: TestCaller
let revoked: string
/** Every operation under an API key, with the owner's things in its path. */
let operations: { name: string; method: string; path: string; ofOwner: boolean }[]
let ids: Record<string, string>

beforeAll(async () => {
  service = await startService()
  owner = service
  stranger = await service.addCaller()
  expired = await service.addCaller({ trial_ends_at: '2020-01-01T00:00:00Z' })
  const { key, key_id } = await createApiKey(service.db, owner.client.client_id)
  await revokeApiKey(service.db, key_id)
  revoked = key
  const me = `/v2/clients/${owner.client.client_id}`
  await owner.call('POST', `${me}/tal/companies`, { body: { domains: ['shared.example'], source: CANARY } })
  const submission = { domain: 'shared.example', callback_url: `https://hooks.${CANARY}/done` }
  const { body } = await owner.call('POST', '/v2/enrich/company', { body: submission })
  ids = {
    client_id: owner.client.client_id,
    task_id: String(body['task_id']),
    delivery_id: String(body['task_id']),
    domain: 'shared.example',
    email_hash: '0123456789abcdef',
  }
  operations = Object.entries(service.document.paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => (operation as { security?: unknown[] }).security?.length !== 0)
      .map(([method]) => ({
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        path: template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? expect.fail(`no value for {${name}}`)),
        ofOwner: /\{(client_id|task_id|delivery_id)\}/.test(template),
      })),
  )
})
afterAll(() => service[Symbol.asyncDispose]())

/** Fits every body's schema that is not refused for its emptiness. */
const BODIES: Record<string, unknown> = {
  'POST /v2/clients/{client_id}/tal/companies': { domains: ['shared.example'] },
  'DELETE /v2/clients/{client_id}/tal/companies': { domains: ['shared.example'] },
  'POST /v2/clients/{client_id}/tal/enrich': {},
}

const withBody = ({ name, method }: { name: string; method: string }) =>
  method === 'GET' ? {} : { body: BODIES[name] ?? {} }

describe('every operation', () => {
  it('is one of the interface, or beside it', () => {
    expect(operations.length).toBeGreaterThan(20)
    expect(operations.filter(({ ofOwner }) => ofOwner).length).toBeGreaterThanOrEqual(6)
  })

  it('is closed without a key, and to keys that are wrong, made up or revoked', async () => {
    for (const operation of operations)
      for (const key of [null, 'false', 'thk_', generateApiKey(), revoked]) {
        const reply = await service.call(operation.method, operation.path, { ...withBody(operation), key })
        expect(reply, `${operation.name} with ${key}`).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
      }
  })

  it('is kept by no cache on the way, whatever its reply is', async () => {
    for (const operation of operations)
      for (const key of [null, revoked, stranger.key]) {
        const { headers } = await service.call(operation.method, operation.path, { ...withBody(operation), key })
        expect(headers.get('cache-control'), operation.name).toBe('no-store')
        expect(headers.get('x-content-type-options'), operation.name).toBe('nosniff')
      }
  })

  it('is closed to a client whose trial has ended', async () => {
    for (const operation of operations) {
      const reply = await expired.call(operation.method, operation.path, withBody(operation))
      expect(reply, operation.name).toMatchObject({ status: 403, body: { code: 'trial_expired' } })
    }
  })

  it('does not show, to one client, that what belongs to another is there', async () => {
    for (const operation of operations.filter(({ ofOwner }) => ofOwner)) {
      const reply = await stranger.call(operation.method, operation.path, withBody(operation))
      expect(reply, operation.name).toMatchObject({ status: 404, body: { code: 'not_found' } })
      const unheardOf = operation.path
        .replace(ids['client_id'] as string, 'unheard-of')
        .replace(ids['task_id'] as string, '00000000-0000-4000-8000-000000000000')
      const other = await stranger.call(operation.method, unheardOf, withBody(operation))
      expect({ ...other.body, request_id: '' }, operation.name).toEqual({ ...reply.body, request_id: '' })
    }
  })

  it('gives a stranger not one byte of what is another’s', async () => {
    for (const operation of operations) {
      const reply = await stranger.call(operation.method, operation.path, withBody(operation))
      expect(JSON.stringify(reply.body), operation.name).not.toContain('canary')
      expect(JSON.stringify(reply.body), operation.name).not.toContain(owner.client.client_id)
    }
  })

  it('still shows its owner all of it', async () => {
    const task = await owner.call('GET', `/v2/tasks/${ids['task_id']}/result`)
    expect(JSON.stringify(task.body)).toContain(CANARY)
    const list = await owner.call('GET', '/v2/clients/me/tal/companies')
    expect(JSON.stringify(list.body)).toContain(CANARY)
  })
})

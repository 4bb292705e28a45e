import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { generateApiKey } from '../../../src/auth/api-key.ts'
import { createApiKey, revokeApiKey } from '../../../src/auth/api-keys.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { SCOPES } from '../../../src/contract/scopes.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { testOperations } from '../../helpers/operations.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

/** Returns whether the operation is for operators, who manage all clients. */
const isForAllClients = (operation: unknown): boolean =>
  (operation as { security: { apiKey: Scope[] }[] }).security[0]?.apiKey?.includes('clients') ?? false

/** Data that is visible to only one client. Companies are shared by all clients. */
const CANARY = 'canary-of-the-owner.example'

let service: TestService
let warehouse: Postgres<WarehouseTables>
let owner: TestCaller
let stranger: TestCaller
let expired: TestCaller
let revoked: string
/** Every authenticated operation, with the owner's resources in the path. */
let operations: { name: string; method: string; path: string; ofOwner: boolean; scopes: Scope[] }[]
let ids: Record<string, string>

beforeAll(async () => {
  warehouse = await testDatabase<WarehouseTables>('warehouse')
  service = await startService({ warehouse: testOperations(warehouse) })
  owner = service
  // Another customer. Only operators have the scope that affects all clients.
  stranger = await service.addCaller(
    {},
    SCOPES.filter((scope) => scope !== 'clients'),
  )
  expired = await service.addCaller({ trial_ends_at: '2020-01-01T00:00:00Z' })
  const { key, key_id } = await createApiKey(service.db, owner.client.client_id)
  await revokeApiKey(service.db, key_id)
  revoked = key
  const me = `/v2/clients/${owner.client.client_id}`
  await owner.call('POST', `${me}/tal/companies`, { body: { domains: ['shared.example'], source: CANARY } })
  const submission = { domain: 'shared.example', callback_url: `https://hooks.${CANARY}/done` }
  const { body } = await owner.call('POST', '/v2/enrich/company', { body: submission })
  const quote = await owner.call('POST', '/v2/quotes', { body: { batch: { domains: [CANARY] } } })
  ids = {
    client_id: owner.client.client_id,
    task_id: String(body['task_id']),
    delivery_id: String(body['task_id']),
    quote_id: String(quote.body['quote_id']),
    domain: 'shared.example',
    email_hash: '0123456789abcdef',
    session_id: '00000000-0000-4000-8000-000000000000',
    run_id: '1',
    backfill_id: '1',
    snapshot_id: '20260101T000000Z-000000',
    key_id: '00000000-0000-4000-8000-000000000000',
  }
  operations = Object.entries(service.document.paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => (operation as { security?: unknown[] }).security?.length !== 0)
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        path: template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? expect.fail(`no value for {${name}}`)),
        scopes: (operation as { security: { apiKey: Scope[] }[] }).security[0]?.apiKey ?? [],
        ofOwner: /\{(client_id|task_id|delivery_id|quote_id)\}/.test(template) && !isForAllClients(operation),
      })),
  )
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await warehouse[Symbol.asyncDispose]()
})

/** All operations except event streams, whose accepted requests do not end. */
const ending = () => operations.filter(({ path }) => !path.endsWith('/events'))

/** Bodies by operation. Other operations get an empty body, which satisfies every schema without required fields. */
const BODIES: Record<string, unknown> = {
  'POST /v2/clients/{client_id}/tal/companies': { domains: ['shared.example'] },
  'DELETE /v2/clients/{client_id}/tal/companies': { domains: ['shared.example'] },
  'POST /v2/clients/{client_id}/tal/enrich': {},
  'POST /v2/quotes': { batch: { domains: ['shared.example'] } },
  'POST /v2/warehouse/backfills': { dataset: 'firms' },
  'POST /v2/warehouse/query': { sql: 'select 1' },
  'POST /v2/warehouse/runs': { pipeline: 'unknown' },
  'POST /v2/privacy/erasures': { email: 'nobody@shared.example' },
  'POST /v2/clients/{client_id}': { plan: 'standard' },
  'POST /v2/clients/{client_id}/grants': { units: 1, reason: 'matrix' },
  'POST /v2/warehouse/budget': { units_per_night: 1000, keep_units: 0 },
  'POST /v2/keys': { label: 'matrix', scopes: ['read'] },
}

const unknownTarget = (path: string): string =>
  path
    .replace(ids['client_id'] as string, 'unheard-of')
    .replace(ids['task_id'] as string, '00000000-0000-4000-8000-000000000000')
    .replace(ids['quote_id'] as string, '00000000-0000-4000-8000-000000000000')

/** Returns the response without the requested ID, because a message may contain the ID. */
const withoutIds = (body: object): string =>
  JSON.stringify({ ...body, request_id: '' })
    .replaceAll(ids['task_id'] as string, 'ID')
    .replaceAll(ids['quote_id'] as string, 'ID')
    .replaceAll('00000000-0000-4000-8000-000000000000', 'ID')

const withBody = ({ name, method }: { name: string; method: string }) =>
  method === 'GET' ? {} : { body: BODIES[name] ?? {} }

describe('every operation', () => {
  it('the authentication matrix covers every operation', () => {
    expect(operations.length).toBeGreaterThan(20)
    expect(operations.filter(({ ofOwner }) => ofOwner).length).toBeGreaterThanOrEqual(6)
  })

  it('every operation responds 401 without a key and to malformed, unknown and revoked keys', async () => {
    for (const operation of operations)
      for (const key of [null, 'false', 'thk_', generateApiKey(), revoked]) {
        const reply = await service.call(operation.method, operation.path, { ...withBody(operation), key })
        expect(reply, `${operation.name} with ${key}`).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
      }
  })

  it('every operation sends cache-control: no-store with every response', async () => {
    for (const operation of ending())
      for (const key of [null, revoked, stranger.key]) {
        const { headers } = await service.call(operation.method, operation.path, { ...withBody(operation), key })
        expect(headers.get('cache-control'), operation.name).toBe('no-store')
        expect(headers.get('x-content-type-options'), operation.name).toBe('nosniff')
      }
  })

  it('every operation responds 403 after the trial has expired', async () => {
    for (const operation of operations) {
      const reply = await expired.call(operation.method, operation.path, withBody(operation))
      expect(reply, operation.name).toMatchObject({ status: 403, body: { code: 'trial_expired' } })
    }
  })

  it('every operation responds 403 with the name of the missing scope, regardless of the target', async () => {
    for (const scope of SCOPES) {
      const others = SCOPES.filter((other) => other !== scope)
      for (const caller of [owner, stranger]) {
        const { key } = await createApiKey(service.db, caller.client.client_id, { scopes: others })
        for (const operation of operations.filter(({ scopes }) => scopes.includes(scope)))
          for (const path of [operation.path, unknownTarget(operation.path)]) {
            const reply = await service.call(operation.method, path, { ...withBody(operation), key })
            expect({ ...reply.body, request_id: '' }, `${operation.name} without ${scope}`).toEqual({
              code: 'missing_scope',
              detail: `This API key lacks the scope \`${scope}\`. Use a key with this scope.`,
              request_id: '',
            })
          }
      }
    }
  })

  it("every operation responds to another client's resources as to unknown resources", async () => {
    for (const operation of operations.filter(({ ofOwner }) => ofOwner)) {
      const reply = await stranger.call(operation.method, operation.path, withBody(operation))
      expect(reply, operation.name).toMatchObject({ status: 404, body: { code: 'not_found' } })
      const other = await stranger.call(operation.method, unknownTarget(operation.path), withBody(operation))
      expect(withoutIds(other.body), operation.name).toBe(withoutIds(reply.body))
    }
  })

  it('every operation returns no data of another client', async () => {
    for (const operation of ending()) {
      const reply = await stranger.call(operation.method, operation.path, withBody(operation))
      expect(JSON.stringify(reply.body), operation.name).not.toContain('canary')
      expect(JSON.stringify(reply.body), operation.name).not.toContain(owner.client.client_id)
    }
  })

  it('every operation returns all data to its owner', async () => {
    const task = await owner.call('GET', `/v2/tasks/${ids['task_id']}/result`)
    expect(JSON.stringify(task.body)).toContain(CANARY)
    const quote = await owner.call('GET', `/v2/quotes/${ids['quote_id']}`)
    expect(JSON.stringify(quote.body)).toContain(CANARY)
    const list = await owner.call('GET', '/v2/clients/me/tal/companies')
    expect(JSON.stringify(list.body)).toContain(CANARY)
  })

  it('every operation accepts a key with only the required scope', async () => {
    const all = Map.groupBy(ending(), ({ scopes }) => scopes.join())
    for (const group of all.values()) {
      const scopes = group[0]?.scopes ?? []
      if (scopes.length === 0) continue
      const { key } = await createApiKey(service.db, owner.client.client_id, { scopes })
      for (const operation of group) {
        const reply = await service.call(operation.method, operation.path, { ...withBody(operation), key })
        expect([200, 402, 404, 409, 422], operation.name).toContain(reply.status)
      }
    }
  })
})

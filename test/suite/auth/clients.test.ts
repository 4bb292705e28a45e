import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../../../src/auth/api-keys.ts'
import { resolveClientId } from '../../../src/auth/caller.ts'
import { createClient, findClient, listClients, updateClient } from '../../../src/auth/clients.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'

let service: Postgres<ServiceTables>
beforeAll(async () => {
  service = await testDatabase<ServiceTables>('service')
})
afterAll(() => service[Symbol.asyncDispose]())

describe('a client', () => {
  it('assigns the given id to a new client unless it is in use, or a UUID by default', async () => {
    expect((await createClient(service.db, { name: 'One' })).client_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await createClient(service.db, { client_id: 'two', name: 'Two', period: '30 days' })).toMatchObject({
      client_id: 'two',
      period: '30 days',
      units_per_period: 10_000,
      overage_allowed: false,
      trial_ends_at: null,
    })
    const again = createClient(service.db, { client_id: 'two', name: 'Other' })
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
    expect((await listClients(service.db)).map((client) => client.name).sort()).toEqual(['One', 'Two'])
  })

  it.each([
    ['an id with spaces', { client_id: 'a b' }],
    ['the alias as its id', { client_id: 'me' }],
    ['negative units', { units_per_period: -1 }],
    ['no requests at all', { reads_per_minute: 0 }],
    ['a period shorter than a day', { period: '5 minutes' }],
    ['a period that is none', { period: 'soon' }],
  ])('refuses a client with %s', async (_, plan) => {
    const made = createClient(service.db, { name: 'Wrong', ...plan })
    await expect(made).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('changes only the given settings of a client', async () => {
    await createClient(service.db, { client_id: 'three', name: 'Three', units_per_period: 5 })
    await updateClient(service.db, 'three', { overage_allowed: true })
    expect(await findClient(service.db, 'three')).toMatchObject({ units_per_period: 5, overage_allowed: true })
    await expect(updateClient(service.db, 'nobody', { plan: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it("resolves only `me` and the client's own id to a client", () => {
    const caller = {
      clientId: 'two',
      keyId: '',
      scopes: [],
      expiresAt: null,
      plan: '',
      trialEndsAt: null,
      readsPerMinute: 1,
      submitsPerMinute: 1,
    }
    expect([resolveClientId(caller, 'me'), resolveClientId(caller, 'two')]).toEqual(['two', 'two'])
    expect(() => resolveClientId(caller, 'three')).toThrow(expect.objectContaining({ code: 'not_found' }))
  })
})

describe('an API key', () => {
  it('shows an API key once and stores only its hash', async () => {
    await createClient(service.db, { client_id: 'keyed', name: 'Keyed' })
    const { key, ...shown } = await createApiKey(service.db, 'keyed', { label: 'laptop' })
    expect(await listApiKeys(service.db, 'keyed')).toEqual([shown])
    const { rows } = await sql<{ row: string }>`select api_key::text as row from api_key`.execute(service.db)
    for (const { row } of rows) expect(row).not.toContain(key.slice(4, -4))
  })

  it('creates an API key only for an existing client, and keeps a revoked key revoked', async () => {
    await expect(createApiKey(service.db, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
    const { key_id } = await createApiKey(service.db, 'keyed')
    const { revoked_at } = await revokeApiKey(service.db, key_id)
    expect((await revokeApiKey(service.db, key_id)).revoked_at).toBe(revoked_at)
    await expect(revokeApiKey(service.db, 'no-such-key')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('gives an API key all scopes except warehouse, admin and clients by default', async () => {
    expect((await createApiKey(service.db, 'keyed')).scopes).toEqual([
      'read',
      'contacts',
      'enrich',
      'lists',
      'webhooks',
    ])
    expect((await createApiKey(service.db, 'keyed', { scopes: ['admin'] })).scopes).toEqual(['admin'])
  })

  it('rotates an API key into a key with the same label and scopes, and expires the old key after the overlap', async () => {
    const first = await createApiKey(service.db, 'keyed', { label: 'etl', scopes: ['read'] })
    const { old, created } = await rotateApiKey(service.db, first.key_id, { overlapHours: 2 })
    expect(created).toMatchObject({ label: 'etl', scopes: ['read'], expires_at: null })
    expect(created.key).not.toBe(first.key)
    expect(Date.parse(old.expires_at as string) - Date.now()).toBeLessThanOrEqual(2 * 3_600_000)
    await revokeApiKey(service.db, first.key_id)
    await expect(rotateApiKey(service.db, first.key_id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(rotateApiKey(service.db, 'no-such-key')).rejects.toMatchObject({ code: 'not_found' })
  })
})

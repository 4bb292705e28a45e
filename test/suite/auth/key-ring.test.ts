import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { generateApiKey } from '../../../src/auth/api-key.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../../src/auth/api-keys.ts'
import { createClient, updateClient } from '../../../src/auth/clients.ts'
import { KeyRing } from '../../../src/auth/key-ring.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'

let service: Postgres<ServiceTables>
let now: number
let keyRing: KeyRing
const clock = () => now

beforeEach(async () => {
  service = await testDatabase<ServiceTables>('service')
  now = Date.now()
  keyRing = new KeyRing(service.db, clock)
  await createClient(service.db, { client_id: 'acme', name: 'Acme', reads_per_minute: 7 })
})
afterEach(() => service[Symbol.asyncDispose]())

const passSeconds = (seconds: number) => {
  now += seconds * 1000
}

describe('a key ring', () => {
  it('finds the client of an API key', async () => {
    const { key, key_id } = await createApiKey(service.db, 'acme')
    expect(await keyRing.authenticate(key)).toEqual({
      clientId: 'acme',
      keyId: key_id,
      scopes: ['read', 'contacts', 'enrich', 'lists', 'webhooks'],
      expiresAt: null,
      plan: 'standard',
      trialEndsAt: null,
      readsPerMinute: 7,
      submitsPerMinute: 1200,
    })
  })

  it.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a key of another shape', 'secret'],
    ['a key that was never made', generateApiKey()],
  ])('refuses authentication with %s', async (_, key) => {
    await expect(keyRing.authenticate(key)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it("refuses a revoked API key within 15 seconds, and keeps accepting the client's other keys", async () => {
    const lost = await createApiKey(service.db, 'acme', { label: 'lost' })
    const kept = await createApiKey(service.db, 'acme', { label: 'kept' })
    await keyRing.authenticate(lost.key)
    await revokeApiKey(service.db, lost.key_id)
    passSeconds(15)
    await expect(keyRing.authenticate(lost.key)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await keyRing.authenticate(kept.key)).toMatchObject({ keyId: kept.key_id })
  })

  it('refuses a revoked API key even if the system clock is set back by hours', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    try {
      const ring = new KeyRing(service.db)
      const lost = await createApiKey(service.db, 'acme')
      await ring.authenticate(lost.key)
      await revokeApiKey(service.db, lost.key_id)
      vi.advanceTimersByTime(15_000)
      vi.setSystemTime(Date.now() - 3 * 3_600_000)
      await expect(ring.authenticate(lost.key)).rejects.toMatchObject({ code: 'unauthenticated' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('refuses an API key as soon as it expires', async () => {
    const { key } = await createApiKey(service.db, 'acme', { expires_at: new Date(now + 10_000).toISOString() })
    expect(await keyRing.authenticate(key)).toMatchObject({ clientId: 'acme' })
    passSeconds(10)
    await expect(keyRing.authenticate(key)).rejects.toMatchObject({
      code: 'unauthenticated',
      message: expect.stringMatching(/expired/),
    })
  })

  it('refuses a client as soon as its trial ends', async () => {
    const { key } = await createApiKey(service.db, 'acme')
    await updateClient(service.db, 'acme', { trial_ends_at: new Date(now + 10_000).toISOString() })
    await keyRing.authenticate(key)
    passSeconds(10)
    await expect(keyRing.authenticate(key)).rejects.toMatchObject({ code: 'trial_expired' })
    await updateClient(service.db, 'acme', { trial_ends_at: null })
    passSeconds(15)
    expect(await keyRing.authenticate(key)).toMatchObject({ trialEndsAt: null })
  })

  it('authenticates many requests with one query, and refuses a malformed key without a query', async () => {
    let queries = 0
    const counting = service.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const ring = new KeyRing(counting, clock)
    const { key } = await createApiKey(service.db, 'acme')
    await Promise.all(Array.from({ length: 50 }, () => ring.authenticate(key)))
    await ring[Symbol.asyncDispose]()
    expect(queries).toBe(2) // one query authenticates the key, and one updates last_used_at
    await expect(ring.authenticate(`thk_${'a'.repeat(28)}`)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(queries).toBe(2)
  })

  it('records the last use of an API key to the minute', async () => {
    const { key } = await createApiKey(service.db, 'acme')
    const lastUsed = async () => {
      await keyRing[Symbol.asyncDispose]()
      return (await listApiKeys(service.db, 'acme'))[0]?.last_used_at
    }
    expect(await lastUsed()).toBeNull()
    await keyRing.authenticate(key)
    const first = await lastUsed()
    expect(first).toMatch(/Z$/)
    passSeconds(59)
    await keyRing.authenticate(key)
    expect(await lastUsed()).toBe(first)
    await sql`update api_key set last_used_at = last_used_at - interval '2 minutes'`.execute(service.db)
    passSeconds(1)
    await keyRing.authenticate(key)
    expect(await lastUsed()).not.toBe(first)
  })

  it('does not cache database errors during authentication', async () => {
    const { key } = await createApiKey(service.db, 'acme')
    await sql`alter table api_key rename to api_key_away`.execute(service.db)
    await expect(keyRing.authenticate(key)).rejects.toThrow()
    await sql`alter table api_key_away rename to api_key`.execute(service.db)
    expect(await keyRing.authenticate(key)).toMatchObject({ clientId: 'acme' })
  })
})

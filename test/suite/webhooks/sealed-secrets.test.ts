import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/auth/clients.ts'
import type { Db, ServiceTables } from '../../../src/db/database.ts'
import { readSealingKeys } from '../../../src/webhooks/seal-secret.ts'
import { currentSecret, rotateSecret, signingSecrets } from '../../../src/webhooks/secrets.ts'
import { printSecret } from '../../../src/webhooks/signature.ts'
import { TEST_ACTOR } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]

describe('a webhook secret', () => {
  let db: Db
  beforeEach(async () => {
    const service = await testDatabase<ServiceTables>('service')
    db = service.db
    for (const client_id of ['acme', 'birch']) await createClient(db, { client_id, name: client_id })
    return () => service[Symbol.asyncDispose]()
  })
  const stored = () => db.selectFrom('webhook_secret').selectAll().orderBy('created_at').execute()
  const shown = async (secret: Promise<string>) => Buffer.from((await secret).replace('whsec_', ''), 'base64')

  it('a webhook secret is sealed in the database, differently each time', async () => {
    const secret = await shown(currentSecret(db, 'acme', [first], TEST_ACTOR))
    await rotateSecret(db, 'acme', [first])
    const rows = await stored()
    expect(rows.map(({ is_sealed }) => is_sealed)).toEqual([true, true])
    for (const row of rows) expect(row.secret.includes(secret.subarray(0, 8))).toBe(false)
    expect((await signingSecrets(db, 'acme', [first])).at(-1)).toEqual(secret)
  })

  it('a webhook secret created without a key keeps signing after a key is set, and is sealed at its next rotation', async () => {
    const plain = await currentSecret(db, 'acme', [], TEST_ACTOR)
    expect(await currentSecret(db, 'acme', [first], TEST_ACTOR)).toBe(plain)
    const fresh = await rotateSecret(db, 'acme', [first])
    expect((await signingSecrets(db, 'acme', [first])).map(printSecret)).toEqual([fresh, plain])
    expect((await stored()).map(({ is_sealed }) => is_sealed)).toEqual([false, true])
  })

  it('a webhook secret keeps signing during a key change while both keys are set', async () => {
    const old = await currentSecret(db, 'acme', [first], TEST_ACTOR)
    const fresh = await rotateSecret(db, 'acme', [second, first])
    expect((await signingSecrets(db, 'acme', [second, first])).map(printSecret)).toEqual([fresh, old])
    expect(await currentSecret(db, 'acme', [second], TEST_ACTOR)).toBe(fresh)
  })

  it.each([
    ['without a key', [] as Buffer[]],
    ['with another key', [second]],
  ])('a webhook secret cannot be opened %s, but can be replaced', async (_, keys) => {
    await currentSecret(db, 'acme', [first], TEST_ACTOR)
    await expect(currentSecret(db, 'acme', keys, TEST_ACTOR)).rejects.toMatchObject({ code: 'configuration' })
    await expect(signingSecrets(db, 'acme', keys)).rejects.toMatchObject({ code: 'configuration' })
    const fresh = await rotateSecret(db, 'acme', keys)
    expect(await currentSecret(db, 'acme', keys, TEST_ACTOR)).toBe(fresh)
  })

  it('a webhook secret cannot be opened for another client or after it is altered', async () => {
    await currentSecret(db, 'acme', [first], TEST_ACTOR)
    await db.updateTable('webhook_secret').set({ client_id: 'birch' }).execute()
    await expect(currentSecret(db, 'birch', [first], TEST_ACTOR)).rejects.toMatchObject({ code: 'configuration' })
    const { secret } = await db.selectFrom('webhook_secret').selectAll().executeTakeFirstOrThrow()
    secret.writeUInt8(secret.readUInt8(40) ^ 1, 40)
    await db.updateTable('webhook_secret').set({ client_id: 'acme', secret }).execute()
    await expect(currentSecret(db, 'acme', [first], TEST_ACTOR)).rejects.toMatchObject({ code: 'configuration' })
  })
})

describe('the keys that seal', () => {
  it('reads sealing keys as comma-separated 32-byte base64 values, or none', () => {
    expect(readSealingKeys(undefined)).toEqual([])
    expect(readSealingKeys(' ')).toEqual([])
    expect(readSealingKeys(`${second.toString('base64')}, ${first.toString('base64')}`)).toEqual([second, first])
  })

  it.each([
    ['a word', 'secret'],
    ['16 bytes', randomBytes(16).toString('base64')],
    ['a key and a word', `${first.toString('base64')},short`],
  ])('rejects %s as sealing keys', (_, text) => {
    expect(() => readSealingKeys(text)).toThrow(expect.objectContaining({ code: 'configuration' }))
  })
})

import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { generateApiKey, hashApiKey } from './api-key.ts'
import type { Caller } from './caller.ts'

/** A key without its secret. */
export interface ApiKey {
  key_id: string
  client_id: string
  label: string
  last_four: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

const SHOWN = ['key_id', 'client_id', 'label', 'last_four', 'created_at', 'last_used_at', 'revoked_at'] as const

/** Creates a key. The reply is the only place where the key itself appears. */
export async function createApiKey(db: Db, clientId: string, label = ''): Promise<ApiKey & { key: string }> {
  const key = generateApiKey()
  const row = { client_id: clientId, label, key_hash: hashApiKey(key), last_four: key.slice(-4) }
  const made = await db
    .insertInto('api_key')
    .columns(['client_id', 'label', 'key_hash', 'last_four'])
    .expression((from) =>
      from
        .selectFrom('client')
        .where('client_id', '=', clientId)
        .select(['client_id', sql.val(row.label).as('label'), sql.val(row.key_hash).as('key_hash')])
        .select(sql.val(row.last_four).as('last_four')),
    )
    .returning(SHOWN)
    .executeTakeFirst()
  if (!made)
    throw new AppError('not_found', `Client ${clientId} not found. List clients with \`talhouse clients list\`.`)
  return { ...made, key }
}

/** Newest first, for one client or for all. */
export async function listApiKeys(db: Db, clientId?: string): Promise<ApiKey[]> {
  const keys = db.selectFrom('api_key').select(SHOWN).orderBy('created_at', 'desc').orderBy('key_id')
  return await (clientId === undefined ? keys : keys.where('client_id', '=', clientId)).execute()
}

/** Revokes a key; serving processes notice within 15 seconds. Revoking it again changes nothing. */
export async function revokeApiKey(db: Db, keyId: string): Promise<ApiKey> {
  const revoked = await db
    .updateTable('api_key')
    .set({ revoked_at: sql<string>`coalesce(revoked_at, now())` })
    .where(sql`key_id::text`, '=', keyId)
    .returning(SHOWN)
    .executeTakeFirst()
  if (!revoked) throw new AppError('not_found', `Key ${keyId} not found. List keys with \`talhouse keys list\`.`)
  return revoked
}

/** The client that holds the key with this hash and the milliseconds left of its trial; undefined for an unknown or revoked key. */
export async function findCaller(
  db: Db,
  keyHash: Buffer,
): Promise<(Caller & { trialEndsInMs: number | null }) | undefined> {
  return await db
    .selectFrom('api_key')
    .innerJoin('client', 'client.client_id', 'api_key.client_id')
    .where('api_key.key_hash', '=', keyHash)
    .where('api_key.revoked_at', 'is', null)
    .select(
      sql<number | null>`(extract(epoch from client.trial_ends_at - clock_timestamp()) * 1000)::float8`.as(
        'trialEndsInMs',
      ),
    )
    .select([
      'client.client_id as clientId',
      'api_key.key_id as keyId',
      'client.plan',
      'client.trial_ends_at as trialEndsAt',
      'client.reads_per_minute as readsPerMinute',
      'client.submits_per_minute as submitsPerMinute',
    ])
    .executeTakeFirst()
}

/** Updates `last_used_at`, at most once a minute. */
export async function touchApiKey(db: Db, keyId: string): Promise<void> {
  await sql`
    update api_key set last_used_at = now()
    where key_id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `.execute(db)
}

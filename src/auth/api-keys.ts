import { sql } from 'kysely'
import type { Scope } from '../contract/scopes.ts'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { AppError, systemCode } from '../lib/errors.ts'
import { generateApiKey, hashApiKey } from './api-key.ts'
import type { Caller } from './caller.ts'
import { DEFAULT_SCOPES } from './scopes.ts'

/** A key without its secret. */
export interface ApiKey {
  key_id: string
  client_id: string
  label: string
  last_four: string
  scopes: readonly Scope[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

const SHOWN = [
  'key_id',
  'client_id',
  'label',
  'last_four',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const

export interface NewKey {
  label?: string | undefined
  /** @default `DEFAULT_SCOPES` */
  scopes?: readonly Scope[] | undefined
  /** Expiry time in ISO 8601; must be in the future. */
  expires_at?: string | null | undefined
}

/** Creates a key. The secret is returned only here, because the database stores only its hash. */
export async function createApiKey(
  db: Db,
  clientId: string,
  { label = '', scopes = DEFAULT_SCOPES, expires_at = null }: NewKey = {},
): Promise<ApiKey & { key: string }> {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now())
    throw new AppError('invalid_request', 'The expiry time must be in the future.')
  const key = generateApiKey()
  const row = { client_id: clientId, label, key_hash: hashApiKey(key), last_four: key.slice(-4), scopes, expires_at }
  try {
    return { ...(await db.insertInto('api_key').values(row).returning(SHOWN).executeTakeFirstOrThrow()), key }
  } catch (error) {
    if (systemCode(error) !== FOREIGN_KEY_VIOLATION) throw error
    throw new AppError('not_found', `Client ${clientId} not found. List clients with \`talhouse clients list\`.`)
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Creates a key with the label and scopes of an existing key, which then expires within `overlapHours` hours. Throws
 * `not_found` if the existing key is unknown, and `conflict` if it is revoked or expired.
 */
export async function rotateApiKey(
  db: Db,
  keyId: string,
  { overlapHours = 24, expires_at }: { overlapHours?: number; expires_at?: string | null | undefined } = {},
): Promise<{ old: ApiKey; created: ApiKey & { key: string } }> {
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<ApiKey & { is_valid: boolean }>`
      update api_key
      set expires_at = least(coalesce(expires_at, 'infinity'), now() + ${overlapHours}::float8 * interval '1 hour')
      where key_id::text = ${keyId}
      returning ${sql.join(SHOWN.map((column) => sql.ref(column)))},
        ${isUsable} as is_valid`.execute(trx)
    if (!rows[0]) throw unknownKey(keyId)
    const { is_valid, ...old } = rows[0]
    if (!is_valid) throw new AppError('conflict', `Key ${keyId} is revoked or expired. Create a new one.`)
    const { client_id, label, scopes } = old
    return { old, created: await createApiKey(trx, client_id, { label, scopes, expires_at }) }
  })
}

/** The keys of one client or of all clients, newest first. */
export async function listApiKeys(db: Db, clientId?: string): Promise<ApiKey[]> {
  const keys = db.selectFrom('api_key').select(SHOWN).orderBy('created_at', 'desc').orderBy('key_id')
  return await (clientId === undefined ? keys : keys.where('client_id', '=', clientId)).execute()
}

/**
 * Revokes a key. The revocation takes effect in all server processes within 15 seconds. Revoking an already revoked key
 * has no effect.
 */
export async function revokeApiKey(db: Db, keyId: string): Promise<ApiKey> {
  const revoked = await db
    .updateTable('api_key')
    .set({ revoked_at: sql<string>`coalesce(revoked_at, now())` })
    .where(sql`key_id::text`, '=', keyId)
    .returning(SHOWN)
    .executeTakeFirst()
  if (!revoked) throw unknownKey(keyId)
  return revoked
}

/** Revokes a key of the given client. Throws `not_found` for another client's key. */
export async function revokeClientKey(db: Db, clientId: string, keyId: string): Promise<ApiKey> {
  const owned = (await listApiKeys(db, clientId)).some(({ key_id }) => key_id === keyId)
  if (!owned) throw new AppError('not_found', 'Key not found. List your keys with GET /v2/keys.')
  return await revokeApiKey(db, keyId)
}

const unknownKey = (keyId: string): AppError =>
  new AppError('not_found', `Key ${keyId} not found. List keys with \`talhouse keys list\`.`)

/** SQL condition for `api_key` rows that are neither revoked nor expired. */
export const isUsable = sql<boolean>`
  (api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > clock_timestamp()))`

/** A caller, with the time in milliseconds until its key expires and its trial ends. */
export type FoundCaller = Caller & { keyEndsInMs: number | null; trialEndsInMs: number | null }

/**
 * Returns the client of the key with this hash, even if the key has expired; undefined for an unknown or revoked key.
 */
export const findCaller = (db: Db, keyHash: Buffer): Promise<FoundCaller | undefined> =>
  selectCallers(db)
    .where('api_key.revoked_at', 'is', null)
    .where('api_key.key_hash', '=', keyHash)
    .select(msUntil('api_key.expires_at').as('keyEndsInMs'))
    .executeTakeFirst()

/** Selects keys joined with their clients. The caller restricts the query to one key. */
export const selectCallers = (db: Db) =>
  db
    .selectFrom('api_key')
    .innerJoin('client', 'client.client_id', 'api_key.client_id')
    .select([
      msUntil('client.trial_ends_at').as('trialEndsInMs'),
      'client.client_id as clientId',
      'api_key.key_id as keyId',
      'api_key.scopes',
      'api_key.expires_at as expiresAt',
      'client.plan',
      'client.trial_ends_at as trialEndsAt',
      'client.reads_per_minute as readsPerMinute',
      'client.submits_per_minute as submitsPerMinute',
    ])

/** The ID of the client's newest usable key with this label, ignoring case. */
export async function findKeyByLabel(db: Db, clientId: string, label: string): Promise<string | undefined> {
  const key = await db
    .selectFrom('api_key')
    .select('key_id')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`lower(label) = ${label.toLowerCase()}`)
    .where(isUsable)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return key?.key_id
}

const msUntil = (column: string) =>
  sql<number | null>`(extract(epoch from ${sql.ref(column)} - clock_timestamp()) * 1000)::float8`

/** Updates `last_used_at`, at most once a minute. */
export async function touchApiKey(db: Db, keyId: string): Promise<void> {
  await sql`
    update api_key set last_used_at = now()
    where key_id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `.execute(db)
}

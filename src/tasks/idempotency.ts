import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { sortedKeys } from '../lib/sorted-keys.ts'

/** The client's idempotency key and the hash of its request. */
export interface Idempotency {
  /** The `Idempotency-Key` header: 1 to 255 characters. */
  key: string
  hash: Buffer
}

/** Hashes the request. A key may be reused only with the same method, path and body. */
export function idempotency(key: string, method: string, path: string, body: unknown): Idempotency {
  const hash = createHash('sha256')
    .update(`${method} ${path}\n${JSON.stringify(sortedKeys(body))}`)
    .digest()
  return { key, hash }
}

const RETENTION = sql`interval '24 hours'`

/**
 * Claims the key for this transaction, or returns the response to an earlier request with the same key. Waits for a
 * concurrent request with the same key. The key of a failed request is not stored and can be used again. Throws
 * `unprocessable` if the key was used for a different request.
 */
export async function claimKey<Response>(
  trx: Db,
  clientId: string,
  { key, hash }: Idempotency,
): Promise<Response | undefined> {
  const taken = await sql`${prepared}
    insert into idempotent_response as kept (client_id, key, request_hash) values (${clientId}, ${key}, ${hash})
    on conflict (client_id, key) do update
      set request_hash = excluded.request_hash, response = null, created_at = now()
      where kept.created_at < now() - ${RETENTION}
    returning key`.execute(trx)
  if (taken.rows.length > 0) return undefined
  const kept = await trx
    .selectFrom('idempotent_response')
    .select(['request_hash', 'response'])
    .where('client_id', '=', clientId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!kept.request_hash.equals(hash))
    throw new AppError(
      'unprocessable',
      'This Idempotency-Key was used for a different request in the last 24 hours. Use a new key, or send the original request.',
    )
  return kept.response as Response
}

/** Stores the response for the claimed key. */
export async function storeResponse(trx: Db, clientId: string, { key }: Idempotency, response: object): Promise<void> {
  await trx
    .updateTable('idempotent_response')
    .set({ response: JSON.stringify(response) })
    .where('client_id', '=', clientId)
    .where('key', '=', key)
    .execute()
}

/** Deletes responses older than 24 hours, and returns the count. */
export async function pruneResponses(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotent_response where created_at < now() - ${RETENTION}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

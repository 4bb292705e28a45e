import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { SealingKeys, StoredSecret } from './seal-secret.ts'
import { openSecret, sealSecret } from './seal-secret.ts'
import { newSecret, printSecret } from './signature.ts'

/** Period after a rotation in which both secrets are used to sign deliveries. */
const OVERLAP = sql`interval '24 hours'`

/** The actor recorded when a secret is created for a client that has never requested its secret. */
const WORKER: Actor = { name: 'system:worker', keyId: null, address: null }

/** Returns the client's printable secret, which is created on first use. */
export async function currentSecret(db: Db, clientId: string, keys: SealingKeys, actor: Actor): Promise<string> {
  return printSecret(openSecret(await auditedSecret(db, clientId, keys, actor), clientId, keys))
}

/** Returns the current secret; if it has to be created, also writes an audit entry. */
async function auditedSecret(db: Db, clientId: string, keys: SealingKeys, actor: Actor): Promise<StoredSecret> {
  return await inTransaction(db, async (trx) => {
    const { is_new, ...secret } = await ensureSecret(trx, clientId, keys)
    if (is_new) await recordAudit(trx, actor, { action: 'webhook.create_secret', target: clientId })
    return secret
  })
}

async function ensureSecret(trx: Db, clientId: string, keys: SealingKeys): Promise<StoredSecret & { is_new: boolean }> {
  const { secret, is_sealed } = sealSecret(newSecret(), clientId, keys)
  const { rows } = await sql<StoredSecret & { is_new: boolean }>`
    with made as (
      insert into webhook_secret (client_id, secret, is_sealed) values (${clientId}, ${secret}, ${is_sealed})
      on conflict (client_id) where expires_at is null do nothing
      returning secret, is_sealed
    )
    select secret, is_sealed, true as is_new from made
    union all
    select secret, is_sealed, false from webhook_secret where client_id = ${clientId} and expires_at is null`.execute(
    trx,
  )
  // A row inserted concurrently is visible only to a new statement.
  return rows[0] ?? (await ensureSecret(trx, clientId, keys))
}

/** Returns all signing secrets, starting with the current secret. */
export async function signingSecrets(db: Db, clientId: string, keys: SealingKeys): Promise<Buffer[]> {
  const { rows } = await sql<StoredSecret>`
    select secret, is_sealed from webhook_secret
    where client_id = ${clientId} and (expires_at is null or expires_at > now())
    order by expires_at desc nulls first limit 10`.execute(db)
  const stored = rows.length > 0 ? rows : [await auditedSecret(db, clientId, keys, WORKER)]
  return stored.map((secret) => openSecret(secret, clientId, keys))
}

/**
 * Creates a new secret and returns it in printable form. Deliveries are also signed with the old secret for 24 hours.
 */
export async function rotateSecret(db: Db, clientId: string, keys: SealingKeys): Promise<string> {
  return await inTransaction(db, async (trx) => {
    // Serializes concurrent rotations.
    await sql`select from client where client_id = ${clientId} for no key update`.execute(trx)
    await ensureSecret(trx, clientId, keys)
    const fresh = newSecret()
    const { secret, is_sealed } = sealSecret(fresh, clientId, keys)
    await sql`
      update webhook_secret set expires_at = now() + ${OVERLAP}
      where client_id = ${clientId} and expires_at is null`.execute(trx)
    await sql`delete from webhook_secret where client_id = ${clientId} and expires_at <= now()`.execute(trx)
    await sql`
      insert into webhook_secret (client_id, secret, is_sealed) values (${clientId}, ${secret}, ${is_sealed})`.execute(
      trx,
    )
    return printSecret(fresh)
  })
}

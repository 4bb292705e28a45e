import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { SealingKeys, StoredSecret } from './seal-secret.ts'
import { openSecret, sealSecret } from './seal-secret.ts'
import { newSecret, printSecret } from './signature.ts'

/** How long a rotated secret keeps signing beside its successor. */
const OVERLAP = sql`interval '24 hours'`

/** The client's printable secret, created on first use. */
export async function currentSecret(db: Db, clientId: string, keys: SealingKeys): Promise<string> {
  return printSecret(openSecret(await ensureSecret(db, clientId, keys), clientId, keys))
}

async function ensureSecret(db: Db, clientId: string, keys: SealingKeys): Promise<StoredSecret> {
  const { secret, is_sealed } = sealSecret(newSecret(), clientId, keys)
  const { rows } = await sql<StoredSecret>`
    with made as (
      insert into webhook_secret (client_id, secret, is_sealed) values (${clientId}, ${secret}, ${is_sealed})
      on conflict (client_id) where expires_at is null do nothing
      returning secret, is_sealed
    )
    select secret, is_sealed from made
    union all
    select secret, is_sealed from webhook_secret where client_id = ${clientId} and expires_at is null`.execute(db)
  // A concurrent insert is visible to a new statement only.
  return rows[0] ?? (await ensureSecret(db, clientId, keys))
}

/** All signing secrets, the current one first. */
export async function signingSecrets(db: Db, clientId: string, keys: SealingKeys): Promise<Buffer[]> {
  const { rows } = await sql<StoredSecret>`
    select secret, is_sealed from webhook_secret
    where client_id = ${clientId} and (expires_at is null or expires_at > now())
    order by expires_at desc nulls first limit 10`.execute(db)
  const stored = rows.length > 0 ? rows : [await ensureSecret(db, clientId, keys)]
  return stored.map((secret) => openSecret(secret, clientId, keys))
}

/** Creates a new secret; the old one keeps signing for 24 hours. Returns the new one in printable form. */
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

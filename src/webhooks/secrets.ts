import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { newSecret, printSecret } from './signature.ts'

/** An old secret signs for so long beside its successor. */
const OVERLAP = sql`interval '24 hours'`

/** The client's secret as it is shown; made at the first request for it. */
export async function currentSecret(db: Db, clientId: string): Promise<string> {
  const { rows } = await sql<{ secret: Buffer }>`
    with made as (
      insert into webhook_secret (client_id, secret) values (${clientId}, ${newSecret()})
      on conflict (client_id) where expires_at is null do nothing
      returning secret
    )
    select secret from made
    union all
    select secret from webhook_secret where client_id = ${clientId} and expires_at is null`.execute(db)
  // Another process made it between our snapshot and our insert: then it is there for a new statement.
  return rows[0] ? printSecret(rows[0].secret) : await currentSecret(db, clientId)
}

/** Every secret that signs now, the current one first. */
export async function signingSecrets(db: Db, clientId: string): Promise<Buffer[]> {
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from webhook_secret
    where client_id = ${clientId} and (expires_at is null or expires_at > now())
    order by expires_at desc nulls first limit 10`.execute(db)
  if (rows.length > 0) return rows.map(({ secret }) => secret)
  await currentSecret(db, clientId)
  return await signingSecrets(db, clientId)
}

/** Makes a new secret; the old one goes on signing beside it for 24 hours. Returns the new one as it is shown. */
export async function rotateSecret(db: Db, clientId: string): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    // Two rotations at once: the second waits, and replaces the secret of the first.
    await sql`select from client where client_id = ${clientId} for no key update`.execute(trx)
    await currentSecret(trx, clientId)
    const secret = newSecret()
    await sql`
      update webhook_secret set expires_at = now() + ${OVERLAP}
      where client_id = ${clientId} and expires_at is null`.execute(trx)
    await sql`delete from webhook_secret where client_id = ${clientId} and expires_at <= now()`.execute(trx)
    await sql`insert into webhook_secret (client_id, secret) values (${clientId}, ${secret})`.execute(trx)
    return printSecret(secret)
  })
}

import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Waits until other imports finish, and blocks further imports until the transaction ends. */
export async function lockImports(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('talhouse firm import'))`.execute(trx)
}

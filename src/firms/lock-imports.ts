import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Concurrent imports wait for each other. Held until the end of the transaction. */
export async function lockImports(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('talhouse firm import'))`.execute(trx)
}

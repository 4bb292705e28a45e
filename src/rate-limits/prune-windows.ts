import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Deletes windows of addresses that sent invalid keys, an hour after the windows end. Clients' windows are reused. */
export async function pruneRateWindows(db: Db): Promise<void> {
  await sql`delete from rate_window where rate_class = 'invalid_key' and ends_at < now() - interval '1 hour'`.execute(
    db,
  )
}

import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Deletes the windows of addresses that sent invalid keys, one hour after each window ends. Windows of clients are kept
 * and reused.
 */
export async function pruneRateWindows(db: Db): Promise<void> {
  await sql`delete from rate_window where rate_class = 'invalid_key' and ends_at < now() - interval '1 hour'`.execute(
    db,
  )
}

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'

export const MAX_QUARANTINE = 1_000

/** Counts unresolved rejected records, up to MAX_QUARANTINE. */
export async function countQuarantine(db: Kysely<WarehouseTables>): Promise<number> {
  const { rows } = await sql<{ records: number }>`
    select count(*)::integer as records
    from (select from warehouse.quarantine where resolved_at is null limit ${MAX_QUARANTINE}) unresolved`.execute(db)
  return rows[0]?.records ?? 0
}

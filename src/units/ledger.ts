import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { UnitTables } from '../db/unit-tables.ts'

export type LedgerEntry = Selectable<UnitTables['ledger_entry']>

/** The client's newest ledger entries. */
export async function listLedger(db: Db, clientId: string, limit: number): Promise<LedgerEntry[]> {
  return await db
    .selectFrom('ledger_entry')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('entry_id', 'desc')
    .limit(limit)
    .execute()
}

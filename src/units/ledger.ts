import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { UnitTables } from '../db/unit-tables.ts'

export type LedgerEntry = Selectable<UnitTables['ledger_entry']>

/** Lists the client's ledger entries, newest first, optionally only entries older than a given entry. */
export async function listLedger(db: Db, clientId: string, limit: number, before?: number): Promise<LedgerEntry[]> {
  return await db
    .selectFrom('ledger_entry')
    .selectAll()
    .where('client_id', '=', clientId)
    .$if(before !== undefined, (query) => query.where('entry_id', '<', before as number))
    .orderBy('entry_id', 'desc')
    .limit(limit)
    .execute()
}

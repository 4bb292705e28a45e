import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { AnyLedgerLines } from '../host/replies.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

type Db = Kysely<WarehouseTables>
type Line = AnyLedgerLines['lines'][number]

/** A line in the warehouse. */
export interface StoredLine {
  ledger_id: string
  entry_id: number
  item: number
  units: number
  created_at: string
}

/** The last line of the most recently pulled ledger. */
export const lastLine = (db: Db): Promise<StoredLine | undefined> =>
  lines(db).orderBy('run_id', 'desc').orderBy('entry_id', 'desc').orderBy('item', 'desc').executeTakeFirst()

/** The last line of a ledger. */
export const lastLineOf = (db: Db, ledgerId: string): Promise<StoredLine | undefined> =>
  lines(db).where('ledger_id', '=', ledgerId).orderBy('entry_id', 'desc').orderBy('item', 'desc').executeTakeFirst()

const lines = (db: Db) =>
  db.selectFrom('warehouse.ledger_line').select(['ledger_id', 'entry_id', 'item', 'units', 'created_at']).limit(1)

/** Stores a ledger's next lines in order, and returns the last stored line. */
export async function writeLines(db: Db, ledgerId: string, given: readonly Line[], runId: number): Promise<StoredLine> {
  await sql`
    insert into warehouse.ledger_line (
      ledger_id, entry_id, item, kind, units, task_id, task_type, entity, domain, groups, reason, created_at, run_id)
    select ${ledgerId}, entry_id, item, kind, units, task_id, task_type, entity, domain, coalesce(groups, '{}'), reason, created_at, ${runId}
    from jsonb_to_recordset(${storableJson(given)}::jsonb) as line (
      entry_id bigint, item integer, kind text, units bigint, task_id text, task_type text, entity text, domain text, groups text[],
      reason text, created_at timestamptz)`.execute(db)
  return { ledger_id: ledgerId, ...(given.at(-1) as Line) }
}

/** Deletes a ledger's lines and returns the count. */
export async function deleteLedger(db: Db, ledgerId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('warehouse.ledger_line')
    .where('ledger_id', '=', ledgerId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

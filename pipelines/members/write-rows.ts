import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { Row } from './read-row.ts'
import type { RowShape } from './row-shape.ts'
import { SQL_TYPES } from './row-shape.ts'

export interface Written {
  inserted: number
  updated: number
  unchanged: number
}

/**
 * Writes new rows, changed rows, and rows that returned after being marked as gone. Filters out unchanged rows before
 * the insert, because `on conflict` would lock them and write WAL.
 */
export async function writeRows(
  db: Kysely<WarehouseTables>,
  shape: RowShape,
  rows: readonly Row[],
  runId: number,
): Promise<Written> {
  if (rows.length === 0) return { inserted: 0, updated: 0, unchanged: 0 }
  const keys = Object.keys(shape.key)
  const values = [...Object.keys(shape.columns), 'row_hash']
  const types = { ...shape.key, ...shape.columns, row_hash: 'text' } as const
  const record = Object.entries(types).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(SQL_TYPES[type])}`)
  const { rows: counts } = await sql<{ inserted: number; updated: number }>`
    with given as materialized (
      -- The limit gives the planner the row count; its default estimate of 100 can cause a sequential scan.
      select * from jsonb_to_recordset(${storableJson(rows)}::jsonb) as row (${sql.join(record)}) limit ${rows.length}
    ),
    changed as (
      select given.* from given
      left join ${sql.table(shape.table)} current using (${refs(keys)})
      where current.row_hash is distinct from given.row_hash ${shape.hasGoneAt ? sql`or current.gone_at is not null` : sql``}
    ),
    written as (
      insert into ${sql.table(shape.table)} as current (${refs([...keys, ...values])}, run_id)
      select ${refs([...keys, ...values])}, ${runId}::bigint from changed
      -- All writers use one order, which prevents deadlocks. Collation C is that of the locks, in any database.
      order by ${sql.join(keys.map((key) => (shape.key[key] === 'text' ? sql`${sql.ref(key)} collate "C"` : sql.ref(key))))}
      on conflict (${refs(keys)}) do update set
        ${sql.join(values.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))},
        run_id = excluded.run_id, last_changed_at = now() ${shape.hasGoneAt ? sql`, gone_at = null` : sql``}
      returning (xmax = 0) as is_new
    )
    select count(*) filter (where is_new)::integer as inserted, count(*) filter (where not is_new)::integer as updated
    from written
  `.execute(db)
  const { inserted, updated } = counts[0] as { inserted: number; updated: number }
  return { inserted, updated, unchanged: rows.length - inserted - updated }
}

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

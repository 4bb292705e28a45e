import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** A table whose rows are compared with what the service shows: columns with their SQL types. */
export interface Comparable {
  table: keyof WarehouseTables
  key: Readonly<Record<string, string>>
  columns: Readonly<Record<string, string>>
}

export interface RowDifference {
  key: string[]
  /** Undefined: the warehouse has no such row. */
  fields: string[] | undefined
}

/** Rows that are missing in the warehouse or differ there, cell by cell: what the cells hold counts, not the hash beside them. */
export async function compareRows(
  db: Kysely<WarehouseTables>,
  { table, key, columns }: Comparable,
  rows: readonly Record<string, unknown>[],
): Promise<RowDifference[]> {
  if (rows.length === 0) return []
  const keys = Object.keys(key)
  const typed = Object.entries({ ...key, ...columns }).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  const differs = Object.keys(columns).map(
    (name) =>
      sql`case when standing.${sql.ref(name)} is distinct from given.${sql.ref(name)} then ${sql.lit(name)}::text end`,
  )
  const { rows: found } = await sql<{ key: string[]; known: boolean; fields: string[] }>`
    select key, known, fields from (
      select
        array[${sql.join(keys.map((name) => sql`given.${sql.ref(name)}::text`))}] as key,
        standing.${sql.ref(keys[0] as string)} is not null as known,
        array_remove(array[${sql.join(differs)}], null) as fields
      -- The limit tells the planner how few they are: by its own guess of a hundred it would read the whole table for a single row.
      from (select * from jsonb_to_recordset(${storableJson(rows)}::jsonb) as row (${sql.join(typed)}) limit ${rows.length}) given
      left join ${sql.table(table)} standing
        on ${sql.join(
          keys.map((name) => sql`standing.${sql.ref(name)} = given.${sql.ref(name)}`),
          sql` and `,
        )} ${GOES.has(table) ? sql`and standing.gone_at is null` : sql``}
    ) compared
    where not known or cardinality(fields) > 0
    order by key
  `.execute(db)
  return found.map(({ key: of, known, fields }) => ({ key: of, fields: known ? fields : undefined }))
}

const GOES: ReadonlySet<string> = new Set(['warehouse.firm', 'warehouse.tal_member', 'warehouse.company'])

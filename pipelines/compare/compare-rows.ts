import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../src/lib/storable-text.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** A table to compare with the service's records. `key` and `columns` map column names to SQL types. */
export interface Comparable {
  table: keyof WarehouseTables
  key: Readonly<Record<string, string>>
  columns: Readonly<Record<string, string>>
}

export interface RowDifference {
  key: string[]
  /** The fields that differ; undefined if the warehouse has no such row. */
  fields: string[] | undefined
}

/** Finds records that are missing from the warehouse or differ there. Compares values, not row hashes. */
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
      sql`case when current.${sql.ref(name)} is distinct from given.${sql.ref(name)} then ${sql.lit(name)}::text end`,
  )
  const { rows: found } = await sql<{ key: string[]; known: boolean; fields: string[] }>`
    select key, known, fields from (
      select
        array[${sql.join(keys.map((name) => sql`given.${sql.ref(name)}::text`))}] as key,
        current.${sql.ref(keys[0] as string)} is not null as known,
        array_remove(array[${sql.join(differs)}], null) as fields
      -- The limit gives the planner the row count; its default estimate of 100 can cause a sequential scan.
      from (select * from jsonb_to_recordset(${storableJson(rows)}::jsonb) as row (${sql.join(typed)}) limit ${rows.length}) given
      left join ${sql.table(table)} current
        on ${sql.join(
          keys.map((name) => sql`current.${sql.ref(name)} = given.${sql.ref(name)}`),
          sql` and `,
        )} ${HAVE_GONE_AT.has(table) ? sql`and current.gone_at is null` : sql``}
    ) compared
    where not known or cardinality(fields) > 0
    order by key
  `.execute(db)
  return found.map(({ key: of, known, fields }) => ({ key: of, fields: known ? fields : undefined }))
}

const HAVE_GONE_AT: ReadonlySet<string> = new Set(['warehouse.firm', 'warehouse.tal_member', 'warehouse.company'])

import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** A column that can contain text, read from the catalog. */
export interface TextColumn {
  /** Table name, with the schema unless it is `public`. */
  table: string
  column: string
}

// biome-ignore lint/suspicious/noExplicitAny: for both databases
type AnyDb = Kysely<any>

/** Returns every text, JSON, array and bytea column of every table in every schema. */
export async function textColumns(db: AnyDb): Promise<TextColumn[]> {
  const { rows } = await sql<TextColumn>`
    select case when table_schema = 'public' then table_name else table_schema || '.' || table_name end as table,
      column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      and data_type in ('text', 'json', 'jsonb', 'ARRAY', 'character varying', 'character', 'bytea', 'USER-DEFINED')
    order by 1, 2`.execute(db)
  return rows
}

/** Returns the columns in which the text occurs, ignoring case. */
export async function placesHolding(db: AnyDb, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { table, column } of await textColumns(db)) {
    const { rows } = await sql`
      select from ${sql.table(table)} where ${sql.id(column)}::text ilike ${`%${text}%`} limit 1`.execute(db)
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

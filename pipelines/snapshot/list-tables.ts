import { AppError } from '../../src/lib/errors.ts'
import type { PostgresClient } from '../../src/lib/postgres.ts'
import { IMPERSONAL_WAREHOUSE_TABLES, VIEW_PLACES } from '../../src/personal-data/warehouse-places.ts'
import type { SourceColumn } from './parquet/column.ts'

export interface ExportedTable {
  name: string
  columns: SourceColumn[]
  primary_key: string[]
}

/**
 * Lists all tables in the `warehouse` schema and the given views, with their columns. Throws `configuration` if a view
 * does not exist, or if an erasure could not find the people that it contains.
 */
export async function listTables(client: PostgresClient, views: readonly string[]): Promise<ExportedTable[]> {
  const { rows } = await client.query<ExportedTable>(
    `
    select
      class.relname as name,
      jsonb_agg(
        jsonb_build_object(
          'name', attribute.attname,
          'type', format_type(attribute.atttypid, attribute.atttypmod),
          'field_id', attribute.attnum
        )
        order by attribute.attnum
      ) as columns,
      coalesce(
        (select jsonb_agg(key.attname order by key.attnum)
         from pg_index
         join pg_attribute key on key.attrelid = pg_index.indrelid and key.attnum = any (pg_index.indkey)
         where pg_index.indrelid = class.oid and pg_index.indisprimary),
        '[]'
      ) as primary_key
    from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
    where class.relnamespace = 'warehouse'::regnamespace
      and (class.relkind in ('r', 'p') and not class.relispartition or class.relkind in ('v', 'm') and class.relname = any ($1))
    group by class.oid, class.relname
    order by class.relname
    `,
    [views],
  )
  const missing = views.filter((view) => !rows.some(({ name }) => name === view))
  if (missing.length > 0) throw await missingViews(client, missing)
  const unsearched = views.filter((view) => !isSearched(`warehouse.${view}`))
  if (unsearched.length > 0)
    throw new AppError(
      'configuration',
      `snapshot.views (TALHOUSE_SNAPSHOT_VIEWS) contains views from which erasures cannot remove people: ${unsearched.join(', ')}. Only the views of talhouse can be exported.`,
    )
  return rows
}

const isSearched = (view: string): boolean =>
  IMPERSONAL_WAREHOUSE_TABLES.has(view) || VIEW_PLACES.some(({ table }) => table === view)

async function missingViews(client: PostgresClient, missing: readonly string[]): Promise<AppError> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'warehouse'::regnamespace and relkind in ('v', 'm') order by 1",
  )
  const existing = rows.map(({ name }) => name).join(', ')
  return new AppError(
    'configuration',
    `snapshot.views (TALHOUSE_SNAPSHOT_VIEWS) contains unknown views: ${missing.join(', ')}. The warehouse has: ${existing}.`,
  )
}

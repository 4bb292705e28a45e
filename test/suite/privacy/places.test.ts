import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import type { ViewPlace } from '../../../src/personal-data/place.ts'
import {
  IMPERSONAL_SERVICE_COLUMNS,
  IMPERSONAL_SERVICE_TABLES,
  SERVICE_PLACES,
} from '../../../src/personal-data/service-places.ts'
import {
  IMPERSONAL_WAREHOUSE_COLUMNS,
  IMPERSONAL_WAREHOUSE_TABLES,
  VIEW_PLACES,
  WAREHOUSE_PLACES,
} from '../../../src/personal-data/warehouse-places.ts'
import { testDatabase } from '../../helpers/database.ts'
import { textColumns } from '../../helpers/search-database.ts'

const searched = ({ owner = {}, values = [], prose = [], removed = [] }: ViewPlace): readonly string[] => [
  ...Object.values(owner),
  ...values,
  ...prose,
  ...removed,
]

it.each([
  ['service', SERVICE_PLACES, IMPERSONAL_SERVICE_TABLES, IMPERSONAL_SERVICE_COLUMNS, 100],
  ['warehouse', WAREHOUSE_PLACES, IMPERSONAL_WAREHOUSE_TABLES, IMPERSONAL_WAREHOUSE_COLUMNS, 100],
] as const)('the list of places contains a decision about every text column of the %s', async (database, places, impersonalTables, impersonalColumns, minimum) => {
  await using postgres = await testDatabase<ServiceTables | WarehouseTables>(database)
  const columns = (await textColumns(postgres.db)).filter(({ table }) => !table.startsWith('pgboss.'))
  expect(columns.length).toBeGreaterThan(minimum)
  const undecided = columns.filter(
    ({ table, column }) =>
      !impersonalTables.has(table) &&
      !impersonalColumns[table]?.includes(column) &&
      !places.some((place) => place.table === table && searched(place).includes(column)),
  )
  expect(undecided.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const missing = places
    .flatMap((place) => searched(place).map((column) => `${place.table}.${column}`))
    .filter((name) => !known.has(name) && !name.endsWith('.person_id'))
  expect(missing).toEqual([])
})

it('the list of places covers every view that a snapshot may contain', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const { rows } = await sql<{ view: string; columns: string[] }>`
    select 'warehouse.' || table_name as view, array_agg(column_name::text) as columns
    from information_schema.views join information_schema.columns using (table_schema, table_name)
    where table_schema = 'warehouse' group by 1`.execute(warehouse.db)
  const columnsOf = new Map(rows.map(({ view, columns }) => [view, columns]))
  const decided = new Set([...VIEW_PLACES.map(({ table }) => table), ...IMPERSONAL_WAREHOUSE_TABLES])
  expect([...columnsOf.keys()].filter((view) => !decided.has(view))).toEqual([])
  const missing = VIEW_PLACES.flatMap((place) =>
    searched(place)
      .filter((column) => !columnsOf.get(place.table)?.includes(column))
      .map((column) => `${place.table}.${column}`),
  )
  expect(missing).toEqual([])
})

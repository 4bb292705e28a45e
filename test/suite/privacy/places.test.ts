import { expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import type { Place } from '../../../src/personal-data/places.ts'
import {
  IMPERSONAL_COLUMNS,
  IMPERSONAL_TABLES,
  SERVICE_PLACES,
  WAREHOUSE_PLACES,
} from '../../../src/personal-data/places.ts'
import { testDatabase } from '../../helpers/database.ts'
import { textColumns } from '../../helpers/search-database.ts'

const searched = ({ owner = {}, values = [], prose = [], removed = [] }: Place): readonly string[] => [
  ...Object.values(owner),
  ...values,
  ...prose,
  ...removed,
]

it.each([
  ['service', SERVICE_PLACES, 100],
  ['warehouse', WAREHOUSE_PLACES, 100],
] as const)('the list of places decides about every text column of the %s', async (database, places, minimum) => {
  await using postgres = await testDatabase<ServiceTables | WarehouseTables>(database)
  const columns = (await textColumns(postgres.db)).filter(({ table }) => !table.startsWith('pgboss.'))
  expect(columns.length).toBeGreaterThan(minimum)
  const undecided = columns.filter(
    ({ table, column }) =>
      !IMPERSONAL_TABLES.has(table) &&
      !IMPERSONAL_COLUMNS[table]?.includes(column) &&
      !places.some((place) => place.table === table && searched(place).includes(column)),
  )
  expect(undecided.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const missing = places
    .flatMap((place) => searched(place).map((column) => `${place.table}.${column}`))
    .filter((name) => !known.has(name) && !name.endsWith('.person_id'))
  expect(missing).toEqual([])
})

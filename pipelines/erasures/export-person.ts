import type { Kysely } from 'kysely'
import type { Row } from '../../src/personal-data/judge-row.ts'
import type { Matcher } from '../../src/personal-data/matcher.ts'
import { readPlaces } from '../../src/personal-data/rows-in-places.ts'
import { WAREHOUSE_PLACES } from '../../src/personal-data/warehouse-places.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

/** Returns the warehouse's rows about a person, by table. */
export const exportFromWarehouse = (db: Kysely<WarehouseTables>, matcher: Matcher): Promise<Record<string, Row[]>> =>
  db.transaction().execute((trx) => readPlaces(trx, WAREHOUSE_PLACES, matcher))

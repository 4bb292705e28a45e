import type { Kysely } from 'kysely'
import type { ClientTables } from './client-tables.ts'
import type { FetchingTables } from './fetching-tables.ts'
import type { FirmTables } from './firm-tables.ts'
import type { RecordTables } from './record-tables.ts'
import type { ScheduleTables } from './schedule-tables.ts'
import type { TaskTables } from './task-tables.ts'
import type { UnitTables } from './unit-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

/** The tables of the service's database, one file each beside this one. */
export interface ServiceTables
  extends ClientTables,
    FetchingTables,
    FirmTables,
    RecordTables,
    ScheduleTables,
    TaskTables,
    UnitTables,
    WebhookTables {}

/** A connection to it, or a transaction on it: store functions neither know nor care which. */
export type Db = Kysely<ServiceTables>

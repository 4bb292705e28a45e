import type { Kysely } from 'kysely'
import type { AuditTables } from './audit-tables.ts'
import type { ClientTables } from './client-tables.ts'
import type { FetchingTables } from './fetching-tables.ts'
import type { FirmTables } from './firm-tables.ts'
import type { PrivacyTables } from './privacy-tables.ts'
import type { RecordTables } from './record-tables.ts'
import type { ScheduleTables } from './schedule-tables.ts'
import type { SessionTables } from './session-tables.ts'
import type { TaskTables } from './task-tables.ts'
import type { UnitTables } from './unit-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

/** Tables of the service database. */
export interface ServiceTables
  extends AuditTables,
    ClientTables,
    FetchingTables,
    FirmTables,
    PrivacyTables,
    RecordTables,
    ScheduleTables,
    SessionTables,
    TaskTables,
    UnitTables,
    WebhookTables {}

/** A connection to the service database, or a transaction on it. */
export type Db = Kysely<ServiceTables>

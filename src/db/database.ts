import type { Kysely } from 'kysely'
import type { ClientTables } from './client-tables.ts'
import type { RecordTables } from './record-tables.ts'

/** The tables of the service's database, one file each beside this one. */
export interface ServiceTables extends ClientTables, RecordTables {}

/** A connection to it, or a transaction on it: store functions neither know nor care which. */
export type Db = Kysely<ServiceTables>

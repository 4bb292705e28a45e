import type { Kysely } from 'kysely'

/** The tables of the service's database, one file each beside this one. */
// biome-ignore lint/suspicious/noEmptyInterface: every room adds its tables here
export interface ServiceTables {}

/** A connection to it, or a transaction on it: store functions neither know nor care which. */
export type Db = Kysely<ServiceTables>

import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** The database's clock, which all processes use for decisions about shared rows. Tests replace this clock. */
export interface DatabaseClock {
  now(): Promise<Date>
}

// biome-ignore lint/suspicious/noExplicitAny: works with any schema
export const databaseClock = (db: Kysely<any>): DatabaseClock => ({
  async now() {
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
    return new Date((rows[0] as { now: string }).now)
  },
})

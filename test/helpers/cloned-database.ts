import { sql } from 'kysely'
import { mulberry32 } from '../../src/demo/seeded-random.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { openPostgres, withDatabase } from '../../src/lib/postgres.ts'

/**
 * Runs the work on a clone of `template`, which is dropped afterwards. `server` is the URL of any database on the
 * server.
 */
export async function onClone<T>(
  server: string,
  template: string,
  name: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  await cloneDatabase(server, template, name)
  try {
    return await work(withDatabase(server, name))
  } finally {
    await dropDatabase(server, name)
  }
}

export async function cloneDatabase(server: string, template: string, name: string): Promise<void> {
  await administer(server, (admin) =>
    sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(admin.db),
  )
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  await administer(server, (admin) => sql`drop database ${sql.id(name)} with (force)`.execute(admin.db))
}

async function administer(server: string, work: (admin: Postgres<unknown>) => Promise<unknown>): Promise<void> {
  await using admin = openPostgres(server, { log: silentLog, name: 'test admin', connections: 1 })
  await work(admin)
}

/** Runs a query and returns the column `value` of the first row. */
export async function askDatabase<T>(url: string, text: string): Promise<T> {
  await using database = openPostgres(url, { log: silentLog, name: 'judge', connections: 1 })
  return ((await sql.raw<{ value: T }>(text).execute(database.db)).rows[0] as { value: T }).value
}

/**
 * Returns a seeded random generator. Seeds are multiplied by a large constant, because callers use consecutive seeds.
 */
export const randomFrom = (seed: number): (() => number) => mulberry32(Math.imul(seed + 1, 0x9e3779b1))

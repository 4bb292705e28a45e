import { randomUUID } from 'node:crypto'
import type { MigrationFile } from './migrations.ts'
import type { PostgresConnection } from './postgres.ts'
import { withClient, withDatabase } from './postgres.ts'

/** A lock on an existing table that blocks other sessions. */
export interface TableLock {
  /** `schema.table` */
  table: string
  /** PostgreSQL's name for the mode, such as `AccessExclusiveLock` */
  mode: string
}

/** A pending migration and its locks on tables that existed before the migration. */
export interface PlannedMigration extends MigrationFile {
  locks: TableLock[]
}

/** Lock modes that block reads or writes of rows. */
const BLOCKING = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/**
 * Determines the locks that pending migrations take by running the migrations in an empty scratch database on the same
 * server. The scratch database is dropped afterwards, and the real database is not changed. The role in `url` requires
 * CREATEDB.
 */
export async function planLocks(
  url: string,
  { applied, pending }: { applied: readonly MigrationFile[]; pending: readonly MigrationFile[] },
): Promise<PlannedMigration[]> {
  const scratch = `talhouse_plan_${randomUUID().replaceAll('-', '')}`
  const administer = (statement: string) =>
    withClient(withDatabase(url, 'postgres'), (client) => client.query(statement))
  await administer(`create database ${scratch} template template0`)
  try {
    return await withClient(withDatabase(url, scratch), async (client) => {
      for (const { sql } of applied) await client.query(sql)
      const planned: PlannedMigration[] = []
      for (const migration of pending) planned.push({ ...migration, locks: await locksOf(client, migration.sql) })
      return planned
    })
  } finally {
    await administer(`drop database ${scratch} with (force)`)
  }
}

async function locksOf(client: PostgresConnection, migration: string): Promise<TableLock[]> {
  const { rows: before } = await client.query<{ oid: number }>(
    `select oid from pg_class where relkind in ('r', 'p', 'm') and relnamespace <> 'pg_catalog'::regnamespace`,
  )
  await client.query('begin')
  await client.query(migration)
  const { rows } = await client.query<TableLock>(
    `select distinct c.oid::regclass::text as table, l.mode
     from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.oid = any($1::oid[]) and l.mode = any($2::text[])
     order by 1, 2`,
    [before.map(({ oid }) => oid), BLOCKING],
  )
  await client.query('commit')
  return rows
}

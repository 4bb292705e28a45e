import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { AppError, messageOf } from './errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: migrations do not depend on table types
type AnyDb = Kysely<any>

/** A file `NNNN_name.sql`. */
export interface MigrationFile {
  /** `NNNN_name` */
  name: string
  sql: string
}

/**
 * Applies pending `folder/NNNN_name.sql` files in order and returns their names. Runs in one transaction and holds a
 * lock, so that concurrent processes apply each migration only once. Throws `configuration` if a newer version of the
 * program has migrated the database.
 */
export async function migrate(db: AnyDb, folder: string): Promise<string[]> {
  const files = await readMigrations(folder)
  await refuseNewerSchema(db, files)
  const migrations = files.map(({ name, sql: text }): [string, Migration] => [
    name,
    { up: async (trx) => void (await sql.raw(text).execute(trx)) },
  ])
  const provider = { getMigrations: async () => Object.fromEntries(migrations) }
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    throw new AppError('unavailable', `migration ${failed ?? ''} of ${folder} failed: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return (results ?? []).map((result) => result.migrationName)
}

/** Splits a folder's files into applied and pending migrations, each in order. */
export async function compareMigrations(
  db: AnyDb,
  folder: string,
): Promise<{ applied: MigrationFile[]; pending: MigrationFile[] }> {
  const files = await readMigrations(folder)
  await refuseNewerSchema(db, files)
  const names = new Set(await appliedNames(db))
  return {
    applied: files.filter(({ name }) => names.has(name)),
    pending: files.filter(({ name }) => !names.has(name)),
  }
}

async function refuseNewerSchema(db: AnyDb, files: readonly MigrationFile[]): Promise<void> {
  const known = new Set(files.map(({ name }) => name))
  const newer = (await appliedNames(db)).filter((name) => !known.has(name))
  if (newer.length === 0) return
  throw new AppError(
    'configuration',
    `The database was migrated by a newer version of talhouse (${newer.join(', ')}). Install that version, or restore a backup from before the upgrade.`,
  )
}

async function appliedNames(db: AnyDb): Promise<string[]> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as found`.execute(db)
  if (!rows[0]?.found) return []
  const applied = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return applied.rows.map(({ name }) => name)
}

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).sort()
  return await Promise.all(
    files.map(async (file) => ({ name: basename(file, '.sql'), sql: await readFile(join(folder, file), 'utf8') })),
  )
}

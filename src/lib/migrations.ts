import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { AppError, messageOf, systemCode } from './errors.ts'
import { packageVersion } from './package-version.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

// biome-ignore lint/suspicious/noExplicitAny: migrations do not depend on table types
type AnyDb = Kysely<any>

/** A file `NNNN_name.sql` or `NNNN_name@VERSION.sql`. */
export interface MigrationFile {
  /** The name of the file without `.sql`. `@0.2.0` means that talhouse 0.2.0 and newer can use the migrated schema. */
  name: string
  sql: string
}

/**
 * A database's migrations, compared with those included in this version of the program. Each list is in migration
 * order.
 */
export interface MigrationState {
  applied: MigrationFile[]
  pending: MigrationFile[]
  /** Applied migrations from a newer version that are compatible with this version. */
  newer: string[]
}

/** The names of migrations. */
export interface MigrationResult {
  /** Migrations applied by this call. */
  applied: string[]
  /** Applied migrations from a newer version that are compatible with this version. */
  newer: string[]
}

/**
 * Applies pending `folder/NNNN_name.sql` files in order. Runs in one transaction and holds a lock, so that concurrent
 * processes apply each migration only once. Throws `configuration` if a newer version of the program has migrated the
 * database to a schema that this version cannot use, or if the role is not allowed to apply a migration.
 */
export async function migrate(db: AnyDb, folder: string): Promise<MigrationResult> {
  const { pending, newer } = await compareMigrations(db, folder)
  if (pending.length === 0) return { applied: [], newer }
  const migrations = (await readMigrations(folder)).map(({ name, sql: text }): [string, Migration] => [
    name,
    { up: async (trx) => void (await sql.raw(text).execute(trx)) },
  ])
  const provider = { getMigrations: async () => Object.fromEntries(migrations) }
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) {
    const failed = results.find((result) => result.status === 'Error')?.migrationName
    throw migrationError(`migration ${failed ?? ''} of ${folder} failed: ${messageOf(error)}`, error)
  }
  return { applied: results.map((result) => result.migrationName), newer }
}

function migrationError(message: string, cause: unknown): AppError {
  return systemCode(cause) === INSUFFICIENT_PRIVILEGE
    ? new AppError('configuration', `${message}. Run \`talhouse migrate\` as the owner of the database first.`, {
        cause,
      })
    : new AppError('unavailable', message, { cause })
}

/**
 * Compares a folder's files with the applied migrations. Like `migrate`, throws if the applied migrations are too new.
 */
export async function compareMigrations(db: AnyDb, folder: string): Promise<MigrationState> {
  const files = await readMigrations(folder)
  const known = new Set(files.map(({ name }) => name))
  const names = await appliedNames(db)
  const applied = new Set(names)
  const pending = files.filter(({ name }) => !applied.has(name))
  const newer = names.filter((name) => !known.has(name))
  const version = packageVersion()
  // A pending migration alongside newer applied migrations means that neither version contains all of the other's
  // migrations.
  const unusable = pending.length > 0 ? newer : newer.filter((name) => !canUse(version, name))
  if (unusable.length > 0)
    throw new AppError(
      'configuration',
      `A newer version of talhouse has migrated the database (${unusable.join(', ')}), and talhouse ${version} cannot use it. Install the newer version, or restore a backup from before the upgrade.`,
    )
  return { applied: files.filter(({ name }) => applied.has(name)), pending, newer }
}

/**
 * The oldest version of talhouse that can use the schema after a migration; undefined if only versions that include the
 * migration can use it.
 */
export const oldestVersion = (name: string): string | undefined => /@(\d+\.\d+\.\d+)$/.exec(name)?.[1]

const canUse = (version: string, name: string): boolean => {
  const oldest = oldestVersion(name)
  return oldest !== undefined && compareVersions(oldest, version) <= 0
}

/** Orders versions such as `0.9.0` and `0.10.0`. */
export const compareVersions = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

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

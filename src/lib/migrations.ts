import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { Migrator } from 'kysely/migration'
import { AppError, messageOf } from './errors.ts'

/**
 * Applies pending `folder/NNNN_name.sql` files in order, in one transaction under a lock, so that concurrent processes migrate once.
 * Returns the names applied.
 */
// biome-ignore lint/suspicious/noExplicitAny: migrations do not depend on table types
export async function migrate(db: Kysely<any>, folder: string): Promise<string[]> {
  const provider = { getMigrations: () => readMigrations(folder) }
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    throw new AppError('unavailable', `migration ${failed ?? ''} of ${folder} failed: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return (results ?? []).map((result) => result.migrationName)
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).sort()
  const migrations = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, file), 'utf8')
    return [basename(file, '.sql'), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(migrations))
}

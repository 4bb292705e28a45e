import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { planLocks } from '../../../src/lib/migration-locks.ts'
import { compareMigrations, migrate } from '../../../src/lib/migrations.ts'
import { packageVersion } from '../../../src/lib/package-version.ts'
import { databaseName, withClient, withDatabase } from '../../../src/lib/postgres.ts'
import { emptyDatabase } from '../../helpers/database.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-migrations-'))
  await writeFile(join(folder, '0001_first.sql'), 'create table account (id integer primary key, name text);')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('migrations', () => {
  it('applies each migration file once', async () => {
    await using postgres = await emptyDatabase()
    expect(await migrate(postgres.db, folder)).toEqual({ applied: ['0001_first'], newer: [] })
    await writeFile(join(folder, '0002_second.sql'), 'alter table account add column city text;')
    expect(await migrate(postgres.db, folder)).toEqual({ applied: ['0002_second'], newer: [] })
    expect(await migrate(postgres.db, folder)).toEqual({ applied: [], newer: [] })
  })

  it('an older version may start on a schema whose migrations name that version', async () => {
    await using postgres = await emptyDatabase()
    const newer = ['0002_second@0.1.0', `0003_third@${packageVersion()}`]
    for (const name of newer) await writeFile(join(folder, `${name}.sql`), `create table "${name}" (id integer);`)
    await migrate(postgres.db, folder)
    for (const name of newer) await rm(join(folder, `${name}.sql`))
    expect(await migrate(postgres.db, folder)).toEqual({ applied: [], newer })
    expect(await compareMigrations(postgres.db, folder)).toMatchObject({ applied: [{ name: '0001_first' }], newer })
  })

  it.each([
    '0002_second',
    '0002_second@99.0.0',
    '0002_second@0.100.0',
  ])('refuses a database that a newer version has migrated with %s', async (name) => {
    await using postgres = await emptyDatabase()
    await writeFile(join(folder, `${name}.sql`), 'create table later (id integer);')
    await migrate(postgres.db, folder)
    await rm(join(folder, `${name}.sql`))
    await expect(migrate(postgres.db, folder)).rejects.toThrow(
      `A newer version of talhouse has migrated the database (${name}), and talhouse ${packageVersion()} cannot use it. Install the newer version, or restore a backup`,
    )
  })

  it('refuses to migrate a schema with unknown migrations', async () => {
    await using postgres = await emptyDatabase()
    await writeFile(join(folder, '0002_second@0.1.0.sql'), 'create table later (id integer);')
    await migrate(postgres.db, folder)
    await rm(join(folder, '0002_second@0.1.0.sql'))
    await writeFile(join(folder, '0002_other.sql'), 'create table other (id integer);')
    await expect(migrate(postgres.db, folder)).rejects.toThrow('Install the newer version')
  })

  it('names the command to run if the role is not allowed to migrate', async () => {
    await using postgres = await emptyDatabase()
    await migrate(postgres.db, folder)
    await writeFile(join(folder, '0002_second.sql'), 'set role pg_monitor; alter table account add column city text;')
    await expect(migrate(postgres.db, folder)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('Run `talhouse migrate` as the owner of the database first.'),
    })
  })

  it('leaves the database unchanged when a migration fails', async () => {
    await using postgres = await emptyDatabase()
    await writeFile(join(folder, '0002_second.sql'), 'create table later (id integer);')
    await writeFile(join(folder, '0003_third.sql'), 'create table broken (;')
    await expect(migrate(postgres.db, folder)).rejects.toThrow('migration 0003_third')
    const { rows } = await sql<{ found: boolean }>`select to_regclass('account') is not null as found`.execute(
      postgres.db,
    )
    expect(rows).toEqual([{ found: false }])
  })

  it('plans pending migrations, with their locks on existing tables, in a temporary database', async () => {
    await using postgres = await emptyDatabase()
    await migrate(postgres.db, folder)
    await writeFile(join(folder, '0002_second.sql'), 'alter table account add column city text; create table other ();')
    await writeFile(join(folder, '0003_third.sql'), 'create index on account (name);')
    const migrations = await compareMigrations(postgres.db, folder)
    const url = withDatabase(inject('postgresUrl'), databaseName(postgres.url))
    expect((await planLocks(url, migrations)).map(({ name, locks }) => ({ name, locks }))).toEqual([
      { name: '0002_second', locks: [{ table: 'account', mode: 'AccessExclusiveLock' }] },
      { name: '0003_third', locks: [{ table: 'account', mode: 'ShareLock' }] },
    ])
    expect((await compareMigrations(postgres.db, folder)).pending).toHaveLength(2)
    const scratch = await withClient(url, (client) =>
      client.query(`select from pg_database where datname like 'talhouse_plan_%'`),
    )
    expect(scratch.rowCount).toBe(0)
  })
})

import { join } from 'node:path'
import { distributeTables } from '../../../db/distribute-tables.ts'
import { hasCitus } from '../../../lib/citus.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Log } from '../../../lib/logger.ts'
import type { MigrationResult } from '../../../lib/migrations.ts'
import { migrate } from '../../../lib/migrations.ts'
import type { PostgresConnection } from '../../../lib/postgres.ts'
import { isTransactionPooler, openPostgres, withClient } from '../../../lib/postgres.ts'
import { initializePassword } from './analyst-login.ts'
import { ANALYST, analystRules } from './analyst-rules.ts'
import type { Role } from './database-rules.ts'
import { databaseRules } from './database-rules.ts'
import type { DatabaseUrls } from './embedded-access.ts'
import type { AccessRule } from './rules.ts'
import { applyRules, pendingStatements, userOf } from './rules.ts'

export interface PrepareOptions {
  log: Log
  analystPassword: string | undefined
  auditRetentionDays: number
}

/**
 * Migrates the database, distributes the service's tables if the database has the Citus extension, and sets up roles and
 * privileges. Returns the statements that an administrator must
 * execute, because the configured role is not allowed to.
 */
export async function prepareDatabase(role: Role, urls: DatabaseUrls, options: PrepareOptions): Promise<string[]> {
  const { log } = options
  return await withClient(urls.admin, async (client) => {
    await refusePooler(role, client, urls.admin)
    const { applied, newer } = await migrateAsOwner(role, urls.owner, log)
    if (applied.length > 0) log.debug({ database: role, migrations: applied }, 'migrated')
    if (newer.length > 0)
      log.warn(
        { database: role, migrations: newer },
        'a newer version of talhouse has migrated the database; this version can use it until this host is upgraded',
      )
    if (role === 'service' && (applied.length > 0 || !(await hasQueue(client)))) await createQueues(urls.owner, log)
    if (role === 'service' && (await hasCitus(client))) await distribute(urls.owner, log)
    await client.query('set search_path = pg_catalog')
    const { rows } = await client.query<{ is_new: boolean }>(
      `select not exists (select from pg_roles where rolname = '${ANALYST}') as is_new`,
    )
    const { is_new = false } = rows[0] ?? {}
    const rules = accessRules(role, urls, { ...options, serverVersion: await serverVersion(client) })
    let pending = await pendingStatements(client, rules)
    if (pending.length > 0) {
      await client.query(`select pg_advisory_lock(hashtext('talhouse access'))`)
      pending = await applyRules(client, rules, pending)
    }
    if (role === 'warehouse')
      pending.push(
        ...(await initializePassword(client, urls.admin, { isNew: is_new, configured: options.analystPassword })),
      )
    return pending
  })
}

async function distribute(owner: string, log: Log): Promise<void> {
  const { distributed, workers } = await withClient(owner, distributeTables)
  if (workers === 0) log.warn('Citus has no workers, so no table is distributed; add them and run `talhouse migrate`')
  else if (distributed.length > 0) log.info({ tables: distributed, workers }, 'tables distributed')
}

/** Migrations take locks and change settings that a pooler in transaction mode would leak to other clients. */
async function refusePooler(role: Role, client: PostgresConnection, url: string): Promise<void> {
  if (!(await isTransactionPooler(client, url))) return
  const variable = `TALHOUSE_${role.toUpperCase()}_OWNER_DATABASE_URL`
  throw new AppError(
    'configuration',
    `The ${role} database is behind a connection pooler, through which it cannot be migrated. Set ${variable} to the address of PostgreSQL itself.`,
  )
}

/**
 * Imports the queue and the worker on demand, because the import takes 100 ms and their tables usually exist already.
 */
async function createQueues(url: string, log: Log): Promise<void> {
  const { openQueue } = await import('../../../lib/queue.ts')
  const { QUEUES } = await import('../../../worker/worker.ts')
  await (await openQueue(url, { log, queues: QUEUES, supervise: false }))[Symbol.asyncDispose]()
}

/** Returns the pending statements without executing them. */
export const pendingAccess = (
  role: Role,
  urls: DatabaseUrls,
  options: Pick<PrepareOptions, 'auditRetentionDays'>,
): Promise<string[]> =>
  withClient(urls.admin, async (client) => {
    await client.query('set search_path = pg_catalog')
    return await pendingStatements(
      client,
      accessRules(role, urls, { ...options, serverVersion: await serverVersion(client) }),
    )
  })

async function serverVersion(client: PostgresConnection): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  )
  return rows[0]?.version ?? 0
}

const accessRules = (
  role: Role,
  urls: DatabaseUrls,
  options: { serverVersion: number; auditRetentionDays: number },
): AccessRule[] => [
  ...(role === 'warehouse' ? analystRules(userOf(urls.admin)) : []),
  ...databaseRules(role, { owner: userOf(urls.owner), runtime: userOf(urls.runtime) }, options),
]

async function migrateAsOwner(role: Role, url: string, log: Log): Promise<MigrationResult> {
  await using owner = openPostgres(url, { log, name: 'migrations', connections: 2 })
  return await migrate(owner.db, migrationFolder(role))
}

export const migrationFolder = (role: Role): string => join(import.meta.dirname, `../../../../sql/${role}`)

async function hasQueue(client: { query(text: string): Promise<{ rows: { found: boolean }[] }> }): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('pgboss.version') is not null as found`)
  return rows[0]?.found ?? false
}

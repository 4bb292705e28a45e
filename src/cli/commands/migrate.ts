import type { MigrationFile } from '../../lib/migrations.ts'
import { compareVersions, oldestVersion } from '../../lib/migrations.ts'
import { databaseName } from '../../lib/postgres.ts'
import type { Command } from '../support/command.ts'
import type { DatabasePlan } from '../support/databases.ts'
import { openService, openWarehouse, planDatabase } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import type { ExitCode } from '../support/exit-codes.ts'
import { EXIT } from '../support/exit-codes.ts'

export const migrate: Handler<{ plan: boolean }> = (command, { plan }) =>
  plan ? printPlan(command) : applyMigrations(command)

async function printPlan(command: Command): Promise<void> {
  const plans = [await planDatabase(command, 'service'), await planDatabase(command, 'warehouse')]
  const databases = plans.map(({ database, pending }) => ({
    database,
    pending: pending.map(({ name, locks }) => ({ name, oldest_version: oldestVersion(name) ?? null, locks })),
  }))
  command.out.result({ databases }, () => plans.map(describePlan).join('\n\n'))
}

/** Formats the output of `talhouse migrate --plan` for one database. */
export function describePlan({ database, pending, isNew }: DatabasePlan): string {
  if (pending.length === 0) return `${database}: no pending migrations.`
  const migrations = pending.map(({ name, locks }) =>
    [`  ${name}`, ...locks.map(({ table, mode }) => `    ${mode} on ${table}`)].join('\n'),
  )
  return [
    `${database}: pending migrations, with the locks they take on existing tables:`,
    ...migrations,
    ...(isNew ? [] : [describeUpgrade(pending)]),
  ].join('\n')
}

function describeUpgrade(pending: readonly MigrationFile[]): string {
  const versions = pending.map(({ name }) => oldestVersion(name))
  if (versions.includes(undefined))
    return '  Stop all processes before this upgrade: older versions cannot use the new schema.'
  const newest = versions.toSorted((one = '', other = '') => compareVersions(one, other)).at(-1)
  return `  Processes of talhouse ${newest} and newer can run and start during this upgrade.`
}

async function applyMigrations(command: Command): Promise<ExitCode> {
  await using service = await openService(command)
  await using warehouse = await openWarehouse(command)
  const databases = [service, warehouse].map(({ url, pending }) => ({
    database: databaseName(url),
    pending,
  }))
  const blocked = databases.filter(({ pending }) => pending.length > 0)
  command.out.result({ databases }, () =>
    [
      `Up to date: ${databases.map(({ database }) => database).join(', ')}.`,
      ...blocked.map((each) => administratorSql(each.database, each.pending)),
    ].join('\n\n'),
  )
  return blocked.length > 0 ? EXIT.degraded : EXIT.done
}

const administratorSql = (database: string, pending: readonly string[]): string =>
  [
    `-- Run as an administrator, connected to ${database}; then run \`talhouse migrate\` again:`,
    ...pending.map((statement) => `${statement};`),
  ].join('\n')

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
    pending: pending.map(({ name, locks }) => ({ name, locks })),
  }))
  command.out.result({ databases }, () => plans.map(describePlan).join('\n\n'))
}

function describePlan({ database, pending }: DatabasePlan): string {
  if (pending.length === 0) return `${database}: no pending migrations.`
  const migrations = pending.map(({ name, locks }) =>
    [`  ${name}`, ...locks.map(({ table, mode }) => `    ${mode} on ${table}`)].join('\n'),
  )
  return [`${database}: pending migrations, with the locks they take on existing tables:`, ...migrations].join('\n')
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

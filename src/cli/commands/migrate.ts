import { openService, openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { EXIT } from '../support/exit-codes.ts'

export const migrate: Handler = async (command) => {
  await using service = await openService(command)
  await using warehouse = await openWarehouse(command)
  const databases = [service, warehouse].map(({ url, pending }) => ({
    database: decodeURIComponent(new URL(url).pathname.slice(1)),
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

import type { CommandModule } from 'yargs'
import { AppError, messageOf, systemCode } from '../../lib/errors.ts'
import { openPostgres } from '../../lib/postgres.ts'
import { analystAddress } from '../support/analyst-address.ts'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Format, Row } from '../support/output.ts'
import { formatRows } from '../support/output.ts'

export const queryCommand: CommandModule<object, CommonArguments & { sql: string; format: Format }> = {
  command: 'query <sql>',
  describe: 'Ask the warehouse in SQL, as an analyst: it can be read, not written',
  builder: (cli) =>
    cli
      .positional('sql', {
        type: 'string',
        demandOption: true,
        describe: 'One statement, such as "table warehouse.run_status"',
      })
      .option('format', {
        choices: ['table', 'csv', 'json'] as const,
        default: 'table' as Format,
        describe: 'How to print it',
      }),
  handler: run(async (command, args) => {
    await using warehouse = await openWarehouse(command)
    const address = await analystAddress(command, warehouse)
    await using analyst = openPostgres(address, {
      log: command.log,
      name: 'analyst',
      connections: 1,
      exactNumbers: true,
    })
    const { rows, fields } = await analyst.pool.query<Row>({ name: 'query', text: args.sql }).catch(refused)
    const columns = fields.map(({ name }) => name)
    command.out.result(rows, () => formatRows(rows, args.format, columns))
    return undefined
  }),
}

/** What PostgreSQL refused is the caller's to put right; a lost connection is not. */
function refused(error: unknown): never {
  if (!/^(08|57|53|E)/.test(systemCode(error) ?? 'E'))
    throw new AppError('invalid_request', messageOf(error), { cause: error })
  throw error
}

import { AppError, messageOf, systemCode } from '../../lib/errors.ts'
import { isNumeric, openPostgres } from '../../lib/postgres.ts'
import { analystAddress } from '../support/access/analyst-login.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import type { Format, Row } from '../support/output.ts'
import { formatRows } from '../support/output.ts'
import { escapeFormulas, requireCsv } from '../support/spreadsheet.ts'

interface Arguments {
  sql: string
  format: Format
  spreadsheet: boolean
}

/** If a name is given instead of a statement, the whole table or view is selected. */
const RELATION = /^warehouse\.\w+$/

export const query: Handler<Arguments> = async (command, { sql, format, spreadsheet }) => {
  requireCsv(spreadsheet, format)
  await using warehouse = await openWarehouse(command)
  const address = await analystAddress(warehouse)
  await using analyst = openPostgres(address, {
    log: command.log,
    name: 'analyst',
    connections: 1,
    idleTransactionTimeout: 0,
    exactNumbers: true,
  })
  const text = RELATION.test(sql) ? `table ${sql}` : sql
  const { rows, fields } = await analyst.pool.query<Row>({ name: 'query', text }).catch(asUsageError)
  const columns = fields.map(({ name }) => name)
  const texts = fields.filter((field) => !isNumeric(field)).map(({ name }) => name)
  const printed = spreadsheet ? escapeFormulas(rows, texts) : rows
  command.out.result(rows, () => formatRows(printed, format, columns))
}

/** Reports statement errors as usage errors; rethrows connection and server errors. */
function asUsageError(error: unknown): never {
  if (!/^(08|57|53|E)/.test(systemCode(error) ?? 'E'))
    throw new AppError('invalid_request', messageOf(error), { cause: error })
  throw error
}

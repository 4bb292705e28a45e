import { AppError } from '../../lib/errors.ts'
import { escapeFormula } from '../../lib/spreadsheet-cell.ts'
import type { Format, Row } from './output.ts'

/** Throws if `--spreadsheet` is given with a format other than CSV, because other formats need no escaping. */
export function requireCsv(spreadsheet: boolean, format: Format): void {
  if (spreadsheet && format !== 'csv') throw new AppError('invalid_request', '--spreadsheet requires --format csv.')
}

/** Escapes formulas in the given text columns of the rows. */
export const escapeFormulas = (rows: readonly Row[], columns: readonly string[]): Row[] =>
  rows.map((row) => {
    const escaped = columns.flatMap((column) => {
      const value = row[column]
      return typeof value === 'string' ? [[column, escapeFormula(value)] as const] : []
    })
    return { ...row, ...Object.fromEntries(escaped) }
  })

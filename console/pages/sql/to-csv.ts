import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'

/** Spreadsheets evaluate text that starts with these characters as a formula. */
const FORMULA = /^[=+\-@\t\r\0＝＋－＠]/

/**
 * Formats the result as CSV (RFC 4180). Text that a spreadsheet would evaluate as a formula is prefixed with an
 * apostrophe.
 */
export function toCsv({ columns, rows }: WarehouseQueryResult): string {
  const lines = rows.map((row) => row.map((value, place) => cell(value, columns[place]?.is_numeric ?? false)))
  return [columns.map(({ name }) => quote(name)), ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function cell(value: unknown, isNumeric: boolean): string {
  if (value === null || value === undefined) return ''
  const text = asText(value)
  return quote(!isNumeric && FORMULA.test(text) ? `'${text}` : text)
}

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Formats a value as text; lists and objects as JSON. */
export const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

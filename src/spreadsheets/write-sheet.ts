import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from '../lib/spreadsheet-cell.ts'

/** Excel reads a CSV file as UTF-8 only if the file starts with a byte order mark. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Writes rows as CSV. Adds an apostrophe to cells that a spreadsheet would evaluate as formulas, except negative
 * numbers.
 */
export const sheetText = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((cells) => cells.map((cell) => (/^-\d+(\.\d+)?$/.test(cell) ? cell : escapeFormula(cell)))),
    { record_delimiter: 'windows' },
  )

/**
 * Makes output headings distinct from the input columns. A heading that is already in use gets the prefix `talhouse_`.
 */
export function freeHeadings(wanted: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken.map((heading) => heading.toLowerCase()))
  return wanted.map((heading) => {
    let free = heading
    while (used.has(free.toLowerCase())) free = `talhouse_${free}`
    used.add(free.toLowerCase())
    return free
  })
}

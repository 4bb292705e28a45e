import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from '../lib/spreadsheet-cell.ts'

/** Excel reads a CSV file as UTF-8 only with this mark. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** CSV text of the rows. Cells that a spreadsheet would run as formulas are prefixed with an apostrophe; negative numbers are not. */
export const sheetText = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((cells) => cells.map((cell) => (/^-\d+(\.\d+)?$/.test(cell) ? cell : escapeFormula(cell)))),
    { record_delimiter: 'windows' },
  )

/** A heading that no input column has: `name`, or else `talhouse_name`. */
export function freeHeadings(wanted: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken.map((heading) => heading.toLowerCase()))
  return wanted.map((heading) => {
    let free = heading
    while (used.has(free.toLowerCase())) free = `talhouse_${free}`
    used.add(free.toLowerCase())
    return free
  })
}

import stringWidth from 'string-width'
import wrap from 'wrap-ansi'

const GAP = '  '
/** Minimum width of the last column. */
const NARROWEST = 16

/** Aligns rows in columns. The last column wraps within the remaining width. */
export function fitColumns(rows: readonly (readonly string[])[], width: number): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns - 1 }, (_, place) =>
    Math.max(...rows.map((row) => stringWidth(row[place] ?? ''))),
  )
  const before = widths.reduce((sum, one) => sum + one + GAP.length, GAP.length)
  return rows
    .flatMap((row) => {
      const [first = '', ...others] = wrapText(row[columns - 1] ?? '', Math.max(NARROWEST, width - before)).split('\n')
      const cells = widths.map((one, place) => pad(row[place] ?? '', one))
      return [['', ...cells, first].join(GAP), ...others.map((line) => ' '.repeat(before) + line)]
    })
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Wraps text at `width` columns, breaking longer words. */
export const wrapText = (text: string, width: number): string => wrap(text, width, { hard: true })

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - stringWidth(text)))

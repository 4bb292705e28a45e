import stringWidth from 'string-width'
import wrap from 'wrap-ansi'

const GAP = '  '
/** The last column is never narrower, however small the terminal. */
const NARROWEST = 16

/** Rows with their columns beside each other. The last column takes what is left of the width, and goes on below itself. */
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

/** Text in lines of at most so many columns; a word that is longer is parted. */
export const wrapText = (text: string, width: number): string => wrap(text, width, { hard: true })

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - stringWidth(text)))

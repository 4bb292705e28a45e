import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { parse } from 'csv-parse'
import { stringify } from 'csv-stringify'

/** Cells that begin so are run by spreadsheets as formulas (CWE-1236; OWASP ASVS 5.0, 1.2.10). */
const FORMULA = /^[=+\-@\t\r\0＝＋－＠]/

const NUMERIC = /^(smallint|integer|bigint|numeric|real|double precision)/

/**
 * Rewrites CSV records so that a spreadsheet shows every text cell instead of running it: an apostrophe goes before it. Numbers
 * stay as they are, a minus sign too. This changes data: machines read the exact variant.
 */
export function spreadsheetSafe(records: Readable, columns: readonly { type: string }[]): Readable {
  const isText = columns.map(({ type }) => !NUMERIC.test(type))
  const neutralise = new Transform({
    objectMode: true,
    transform(row: string[], _encoding, done) {
      done(
        null,
        row.map((cell, index) => (isText[index] && FORMULA.test(cell) ? `'${cell}` : cell)),
      )
    },
  })
  const output = stringify()
  const parser = parse({ relax_column_count: false })
  // Errors run downstream: whoever reads the last stream is told.
  records.on('error', (error) => parser.destroy(error))
  parser.on('error', (error) => neutralise.destroy(error))
  neutralise.on('error', (error) => output.destroy(error))
  return records.pipe(parser).pipe(neutralise).pipe(output)
}

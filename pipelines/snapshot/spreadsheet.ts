import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { parse } from 'csv-parse'
import { stringify } from 'csv-stringify'
import { escapeFormula } from '../../src/lib/spreadsheet-cell.ts'
import type { SnapshotRow } from './read-table.ts'
import { nullWithoutQuotes } from './read-table.ts'

const NUMERIC = /^(smallint|integer|bigint|numeric|real|double precision)/

/**
 * Adds an apostrophe before text cells that a spreadsheet would evaluate as formulas. Numeric columns are unchanged.
 * The escaping alters the data, so programs must read the exact variant.
 */
export function spreadsheetSafe(records: Readable, columns: readonly { type: string }[]): Readable {
  const isText = columns.map(({ type }) => !NUMERIC.test(type))
  const escapeFormulas = new Transform({
    objectMode: true,
    transform(row: SnapshotRow, _encoding, done) {
      done(
        null,
        row.map((cell, index) => (cell !== null && isText[index] ? escapeFormula(cell) : cell)),
      )
    },
  })
  const output = stringify({
    // An empty string is quoted to distinguish it from null.
    cast: { string: (value) => (value === '' ? { value, quoted_empty: true } : value) },
  })
  const parser = parse({ relax_column_count: false, cast: nullWithoutQuotes })
  // Passes errors on to the last stream, which the caller reads.
  records.on('error', (error) => parser.destroy(error))
  parser.on('error', (error) => escapeFormulas.destroy(error))
  escapeFormulas.on('error', (error) => output.destroy(error))
  return records.pipe(parser).pipe(escapeFormulas).pipe(output)
}

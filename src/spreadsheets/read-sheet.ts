import { parse } from 'csv-parse/sync'
import { AppError, messageOf } from '../lib/errors.ts'

/** A table read from a CSV file. */
export interface Sheet {
  /** Headings, made unique: a second `Owner` becomes `Owner 2`, and an empty third heading becomes `Column 3`. */
  columns: string[]
  rows: SheetRow[]
}

export interface SheetRow {
  /** Row number as shown in a spreadsheet: the header row is row 1, and line breaks within cells are not counted. */
  row: number
  /** One cell per column. */
  cells: string[]
}

export const SHEET_ROWS_MAXIMUM = 100_000

const DELIMITERS = [',', ';', '\t']

/**
 * Reads a CSV file with a header row, separated by commas, semicolons or tabs. Input that is neither UTF-8 nor UTF-16
 * with a byte order mark is read as Windows-1252. Blank rows are included, except at the end of the file. Throws
 * `bad_input` for invalid files; the message contains the row number if it is known.
 */
export function readSheet(bytes: Uint8Array): Sheet {
  const text = decode(bytes)
  const records = parseRecords(text, detectDelimiter(text))
  const [heading, ...rest] = records
  if (!heading?.some((cell) => cell.trim() !== '')) throw new AppError('bad_input', 'The file has no header row.')
  // Drop blank rows at the end, such as the row formed by a final line break.
  while (rest.at(-1)?.every((cell) => cell.trim() === '')) rest.pop()
  if (rest.length > SHEET_ROWS_MAXIMUM)
    throw new AppError(
      'bad_input',
      `The file has ${rest.length} rows; split it into files of at most ${SHEET_ROWS_MAXIMUM} rows.`,
    )
  const columns = uniqueColumns(heading)
  return {
    columns,
    rows: rest.map((cells, index) => ({ row: index + 2, cells: cellsOf(cells, columns.length, index + 2) })),
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns the most frequent delimiter outside quotes in the header row. */
function detectDelimiter(text: string): string {
  const heading = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '')
  const counts = DELIMITERS.map((delimiter) => heading.split(delimiter).length - 1)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string
}

function parseRecords(text: string, delimiter: string): string[][] {
  try {
    // NUL is the only character that the database cannot store.
    return parse(text.replaceAll('\0', ''), { delimiter, relax_column_count: true, skip_empty_lines: false })
  } catch (error) {
    throw new AppError('bad_input', `The file is not valid CSV: ${messageOf(error)}`, { cause: error })
  }
}

function uniqueColumns(heading: readonly string[]): string[] {
  const seen = new Set<string>()
  return heading.map((cell, index) => {
    const wanted = cell.trim().slice(0, 200) || `Column ${index + 1}`
    let name = wanted
    for (let copy = 2; seen.has(name.toLowerCase()); copy += 1) name = `${wanted} ${copy}`
    seen.add(name.toLowerCase())
    return name
  })
}

function cellsOf(cells: readonly string[], width: number, row: number): string[] {
  if (cells.slice(width).some((cell) => cell.trim() !== ''))
    throw new AppError(
      'bad_input',
      `Row ${row} has ${cells.length} cells, but the header row has ${width}. Put cells that contain the delimiter in quotes.`,
    )
  return Array.from({ length: width }, (_, index) => cells[index] ?? '')
}

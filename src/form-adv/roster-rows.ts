import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'
import { withoutControls } from '../lib/control-characters.ts'
import { AppError } from '../lib/errors.ts'
import type { FoundRow } from './build-firm.ts'
import type { RosterLayout } from './roster-layout.ts'

/**
 * A longer record is assumed to contain an unclosed quote. The longest rows in real rosters are a hundred times
 * shorter.
 */
const LONGEST_RECORD_BYTES = 1024 * 1024

/** The parts of the layout that the row parser needs. */
export type RowLayout = Pick<RosterLayout, 'delimiter' | 'width' | 'trailingDelimiter'>

interface CsvRecord {
  record: string[]
  /** The raw record, including its line break. If the line break is CRLF, the record may end with only the CR. */
  raw: string
}

/**
 * Streams the rows below the header row. Rows may have any number of cells; the caller validates them. Throws
 * `bad_input` if the last row is incomplete, which means that the file is truncated.
 */
export async function* readRosterRows(
  file: string,
  text: AsyncIterable<string>,
  layout: RowLayout,
): AsyncGenerator<FoundRow> {
  let held: FoundRow | undefined
  let heading = true
  let line = 1
  for await (const { record, raw } of parseRecords(file, text, layout.delimiter)) {
    const start = line
    const lines = raw.replace(/\r?\n?$/, '').split('\n')
    line += lines.length
    const blank = record.length === 1 && record[0]?.trim() === ''
    if (!heading && !blank) {
      for (const row of separate(record, lines, start, layout)) {
        if (held) yield held
        held = row
      }
    }
    heading &&= blank
  }
  if (!held) throw new AppError('bad_input', `${file} has a header row but no data rows.`)
  if (!isWhole(held.cells, layout)) throw cutOff(file, held.line)
  yield held
}

export const cutOff = (file: string, line: number) =>
  new AppError(
    'bad_input',
    `${file} is truncated: its last row, on line ${line}, is incomplete. No rows were imported. Download it again.`,
  )

async function* parseRecords(file: string, text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter,
    quote: delimiter === '|' ? null : '"',
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: LONGEST_RECORD_BYTES,
    // The raw text is needed to count lines, because the parser's own count is wrong for cells with line breaks.
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  const feeding = pipeline(Readable.from(cleaned(text)), parser)
  feeding.catch(() => undefined) // The iteration below throws the error.
  try {
    yield* parser as AsyncIterable<CsvRecord>
    await feeding
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number }
    if (code === 'CSV_QUOTE_NOT_CLOSED') throw cutOff(file, lines ?? 0)
    if (code === 'CSV_MAX_RECORD_SIZE')
      throw new AppError('bad_input', `${file}, line ${lines ?? 0}: unclosed quotation mark.`, {
        cause: error,
      })
    throw error
  }
}

/** Removes control characters chunk by chunk, because testing each cell would take longer than parsing. */
async function* cleaned(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of text) yield withoutControls(chunk)
}

const isWhole = (cells: readonly string[], { width, trailingDelimiter }: RowLayout) =>
  cells.length === width || (trailingDelimiter && cells.length === width + 1)

/**
 * Splits a record in which a stray quote has merged several lines. Parses each line separately, so that only the row
 * with the quote is rejected.
 */
function* separate(record: string[], lines: string[], line: number, layout: RowLayout): Generator<FoundRow> {
  if (lines.length === 1 || isWhole(record, layout)) {
    yield { line, cells: record }
    return
  }
  for (const [offset, text] of lines.entries()) {
    if (text.trim()) yield { line: line + offset, cells: splitLine(text.replace(/\r$/, ''), layout.delimiter) }
  }
}

function splitLine(text: string, delimiter: string): string[] {
  const options = { delimiter, relax_quotes: true, relax_column_count: true }
  try {
    return parseNow(text, options)[0] ?? []
  } catch {
    return parseNow(text, { ...options, quote: null })[0] ?? []
  }
}

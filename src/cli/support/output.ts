import Table from 'cli-table3'
import { stringify } from 'csv-stringify/sync'

export type Format = 'table' | 'csv' | 'json'

export type Row = Record<string, unknown>

/** What a command prints. Results go to stdout, everything about the work to stderr, so that a script can read the one. */
export interface Output {
  /** The command's result: the object as JSON for `--json`, otherwise the text for a person. */
  result(value: unknown, text: () => string): void
  /** One line for a person; silent with `--json`. */
  line(text: string): void
  /** Something the person should know while it happens; on stderr, and silent with `--json`. */
  note(text: string): void
  /** Columns of the terminal; of a page where it goes elsewhere. */
  readonly width: number
}

const PAGE = 100

export function createOutput(
  json: boolean,
  stdout: NodeJS.WritableStream & { columns?: number },
  stderr: NodeJS.WritableStream,
): Output {
  return {
    result: (value, text) => void stdout.write(`${json ? JSON.stringify(value, null, 2) : text()}\n`),
    line: (text) => void (json || stdout.write(`${text}\n`)),
    note: (text) => void (json || stderr.write(`${text}\n`)),
    width: stdout.columns || PAGE,
  }
}

/** Rows as a table for a terminal, as CSV or as JSON. Columns are those of the first row unless named. */
export function formatRows(rows: readonly Row[], format: Format, columns = Object.keys(rows[0] ?? {})): string {
  if (format === 'json') return JSON.stringify(rows, null, 2)
  if (format === 'csv')
    return stringify(
      rows.map((row) => columns.map((column) => plain(row[column]))),
      { header: true, columns },
    ).trimEnd()
  return formatTable(rows, columns)
}

/** One record, a line for each of its fields. */
export function formatRecord(record: Row): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`)
    .join('\n')
}

function formatTable(rows: readonly Row[], columns: string[]): string {
  const table = new Table({
    head: columns,
    style: { head: [], border: [], compact: true },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      right: '',
      mid: '',
      'left-mid': '',
      'mid-mid': '',
      'right-mid': '',
      middle: '  ',
    },
    colAligns: columns.map((column) =>
      rows.every((row) => row[column] == null || typeof row[column] === 'number') ? 'right' : 'left',
    ),
  })
  for (const row of rows) table.push(columns.map((column) => plain(row[column])))
  return table.toString()
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

import Table from 'cli-table3'
import { stringify } from 'csv-stringify/sync'
import { printable, printableJson } from '../../lib/control-characters.ts'

export type Format = 'table' | 'csv' | 'json'

export type Row = Record<string, unknown>

/** Prints results to stdout and progress notes to stderr. */
export interface Output {
  /** Prints the command's result: the value with `--json`, otherwise the text. */
  result(value: unknown, text: () => string): void
  /** Prints a line to stdout, except with `--json`. */
  line(text: string): void
  /** Prints a line to stderr, except with `--json`. */
  note(text: string): void
  /** Width of the terminal in columns, or a default width for pipes and files. */
  readonly width: number
}

const DEFAULT_WIDTH = 100

export function createOutput(
  json: boolean,
  stdout: NodeJS.WritableStream & { columns?: number },
  stderr: NodeJS.WritableStream,
): Output {
  return {
    result: (value, text) => void stdout.write(`${json ? jsonText(value) : printable(text())}\n`),
    line: (text) => void (json || stdout.write(`${printable(text)}\n`)),
    note: (text) => void (json || stderr.write(`${printable(text)}\n`)),
    width: stdout.columns || DEFAULT_WIDTH,
  }
}

/** Formats rows as a table, CSV or JSON. By default, the columns are the keys of the first row. */
export function formatRows(rows: readonly Row[], format: Format, columns = Object.keys(rows[0] ?? {})): string {
  if (format === 'json') return jsonText(rows)
  if (format === 'csv')
    return stringify(
      rows.map((row) => columns.map((column) => plain(row[column]))),
      { header: true, columns },
    ).trimEnd()
  return formatTable(rows, columns)
}

/** Formats a record with one line per field. */
export function formatRecord(record: Row): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`)
    .join('\n')
}

function formatTable(rows: readonly Row[], columns: string[]): string {
  const table = new Table({
    head: columns,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
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
  // The text is sanitized before the columns are measured.
  for (const row of rows) table.push(columns.map((column) => printable(plain(row[column]))))
  return table.toString().replaceAll(/ +$/gm, '')
}

const jsonText = (value: unknown): string => printableJson(JSON.stringify(value, null, 2))

function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

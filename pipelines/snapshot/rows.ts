import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import type { Row } from '../../src/personal-data/judge-row.ts'
import type { Sink } from '../sinks/sink.ts'
import type { SnapshotTable } from './manifest.ts'
import { nullWithoutQuotes } from './read-table.ts'
import { createDecompressor } from './write-table.ts'

/** A row as stored. Null represents an empty field without quotes. */
export type Cells = readonly (string | null)[]

/** Streams a table's rows, without headers. Throws `bad_input` if a part is missing or damaged. */
export async function* readRows(sink: Sink, table: SnapshotTable): AsyncGenerator<Cells> {
  for (const part of table.parts) {
    const found = await sink.read(part.key)
    if (!found) throw new AppError('bad_input', `${part.key} is missing`)
    const parser = parse({ from: 2, cast: nullWithoutQuotes })
    const reading = pipeline(found.body, createDecompressor(part.key), parser)
    reading.catch(() => undefined) // the error is thrown by the loop below
    try {
      yield* parser as AsyncIterable<Cells>
      await reading
    } catch (error) {
      throw new AppError('bad_input', `${part.key} cannot be read: ${messageOf(error)}`, { cause: error })
    }
  }
}

/** Formats a CSV record as PostgreSQL does. */
export const toRecord = (cells: Cells): string =>
  `${cells.map((cell) => (cell === null ? '' : /^$|[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`

/** Returns the row's cells by column name. Parses JSON columns. Throws `bad_input` for invalid JSON. */
export function toRow(table: SnapshotTable, cells: Cells): Row {
  return Object.fromEntries(
    table.columns.map(({ name, type }, place) => {
      const cell = cells[place] ?? null
      return [name, cell !== null && isJson(type) ? parseJson(table, cell) : cell]
    }),
  )
}

function parseJson({ name }: SnapshotTable, cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch (error) {
    throw new AppError('bad_input', `a row of ${name} has invalid JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** Returns the cells with the changed columns replaced. */
export const withChanges = (table: SnapshotTable, cells: Cells, changes: Row): Cells =>
  table.columns.map(({ name, type }, place) => {
    if (!(name in changes)) return cells[place] ?? null
    const value = changes[name] ?? null
    return value === null ? null : isJson(type) ? JSON.stringify(value) : String(value)
  })

const isJson = (type: string): boolean => type === 'json' || type === 'jsonb'

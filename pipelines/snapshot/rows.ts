import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { AppError } from '../../src/lib/errors.ts'
import type { Row } from '../../src/personal-data/judge-row.ts'
import type { Sink } from '../sinks/sink.ts'
import type { SnapshotTable } from './manifest.ts'

/** A row as stored. Null represents an empty field without quotes. */
export type Cells = readonly (string | null)[]

/** Streams a table's rows, without headers. Throws `bad_input` if a part is missing. */
export async function* readRows(sink: Sink, table: SnapshotTable): AsyncGenerator<Cells> {
  for (const part of table.parts) {
    const found = await sink.read(part.key)
    if (!found) throw new AppError('bad_input', `${part.key} is missing`)
    const parser = parse({ from: 2, cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell) })
    const reading = pipeline(found.body, createGunzip(), parser)
    reading.catch(() => undefined) // the error is thrown by the loop below
    yield* parser as AsyncIterable<Cells>
    await reading
  }
}

/** Formats a CSV record as PostgreSQL does. */
export const toRecord = (cells: Cells): string =>
  `${cells.map((cell) => (cell === null ? '' : /^$|[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`

/** Returns the row's cells by column name. Parses JSON columns. */
export function toRow(table: SnapshotTable, cells: Cells): Row {
  return Object.fromEntries(
    table.columns.map(({ name, type }, place) => {
      const cell = cells[place] ?? null
      return [name, cell !== null && isJson(type) ? JSON.parse(cell) : cell]
    }),
  )
}

/** Returns the cells with the changed columns replaced. */
export const withChanges = (table: SnapshotTable, cells: Cells, changes: Row): Cells =>
  table.columns.map(({ name, type }, place) => {
    if (!(name in changes)) return cells[place] ?? null
    const value = changes[name] ?? null
    return value === null ? null : isJson(type) ? JSON.stringify(value) : String(value)
  })

const isJson = (type: string): boolean => type === 'json' || type === 'jsonb'

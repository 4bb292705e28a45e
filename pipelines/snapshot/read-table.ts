import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import type { Meter } from '../../src/lib/meter.ts'
import { createMeter } from '../../src/lib/meter.ts'
import type { Sink } from '../sinks/sink.ts'
import type { Part, SnapshotTable } from './manifest.ts'
import { createDecompressor } from './write-table.ts'

/** A row in a snapshot. Cells are text; an empty field without quotes is null. */
export type SnapshotRow = (string | null)[]

export interface ReadOptions {
  /** Whether to distinguish null from an empty string. Parsing then takes three times as long. @default true */
  nulls?: boolean
}

/** Reads a part record by record, including the header, and then checks the part's size and checksum. */
export async function readPart(
  sink: Sink,
  part: Part,
  onRecord: (record: SnapshotRow) => void,
  { nulls = true }: ReadOptions = {},
): Promise<void> {
  const found = await sink.read(part.key)
  if (!found) throw new AppError('bad_input', `${part.key} is missing`)
  const meter = createMeter()
  const parser = parse(nulls ? { cast: nullWithoutQuotes } : {})
  const reading = (async () => {
    for await (const record of parser) onRecord(record as SnapshotRow)
  })()
  try {
    await Promise.all([pipeline(found.body, meter.stream, createDecompressor(part.key), parser), reading])
  } catch (error) {
    throw new AppError('bad_input', `${part.key} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  compareWithManifest(part, meter)
}

/** Reads a part without decoding it, and checks its size and checksum. */
export async function checkPart(sink: Sink, part: Part): Promise<void> {
  const found = await sink.read(part.key)
  if (!found) throw new AppError('bad_input', `${part.key} is missing`)
  const meter = createMeter()
  await pipeline(found.body, meter.stream.resume())
  compareWithManifest(part, meter)
}

function compareWithManifest(part: Part, meter: Meter): void {
  if (meter.bytes() !== part.bytes)
    throw new AppError('bad_input', `${part.key}: expected ${part.bytes} bytes, got ${meter.bytes()}`)
  if (meter.sha256() !== part.sha256)
    throw new AppError('bad_input', `${part.key} does not match the sha256 in its manifest`)
}

/** PostgreSQL writes null as an empty field without quotes, and an empty string with quotes. */
export const nullWithoutQuotes = (value: string, { quoting }: { quoting: boolean }): string | null =>
  value === '' && !quoting ? null : value

/** Reads a snapshot's table row by row, without headers. Throws `bad_input` if a part does not match the manifest. */
export async function readTable(
  sink: Sink,
  table: SnapshotTable,
  onRow: (row: SnapshotRow) => void,
  options: ReadOptions = {},
): Promise<void> {
  const header = table.columns.map(({ name }) => name).join(',')
  for (const part of table.parts) {
    let isHeader = true
    const take = (record: SnapshotRow): void => {
      if (!isHeader) onRow(record)
      else if (record.join(',') !== header)
        throw new AppError('bad_input', `${part.key} does not have the columns listed in the manifest`)
      isHeader = false
    }
    await readPart(sink, part, take, options)
  }
}

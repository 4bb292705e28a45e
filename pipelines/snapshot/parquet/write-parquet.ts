import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { ColumnChunk, DecodedArray, SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { sum } from '../../../src/lib/sum.ts'
import type { Sink } from '../../sinks/sink.ts'
import type { ParquetPart } from '../manifest.ts'
import type { OpenPart } from '../open-part.ts'
import { openPart, partName } from '../open-part.ts'
import type { AnnotatedElement, ParquetColumn } from './column.ts'
import { storageOf, widthOf } from './column.ts'
import { ColumnCells, firstHash, nextHash } from './column-cells.ts'
import { BACKSLASH, isNull, NEWLINE, TAB, unescapeCell } from './copy-text.ts'
import { compress, encodeColumn } from './encode-column.ts'

export interface ParquetTable {
  /** Folder for the parts. Ends with `/`. */
  folder: string
  columns: readonly ParquetColumn[]
  /** Chunks of whole rows in COPY's text format. */
  rows: AsyncIterable<Uint8Array>
  /** Size of a part file, measured as PostgreSQL's text. */
  partBytes: number
  /**
   * Size of a row group, measured as PostgreSQL's text. Determines memory usage, which does not depend on the table's
   * size. @default 16 MiB
   */
  groupBytes?: number
}

/** Writes rows to Parquet part files, compressed with zstd. An empty table is written as one part without rows. */
export async function writeParquet(sink: Sink, table: ParquetTable): Promise<ParquetPart[]> {
  const { folder, columns, rows, partBytes, groupBytes = 16 * 1024 * 1024 } = table
  const maxGroup = Math.min(groupBytes, partBytes)
  const parts: ParquetPart[] = []
  const open = (): ParquetFile =>
    new ParquetFile(openPart(sink, `${folder}${partName(parts.length)}.parquet`, new PassThrough()), columns)
  let file: ParquetFile | undefined = open()
  try {
    for await (const chunk of rows) {
      for (let at = 0; at < chunk.length; ) {
        file ??= open()
        at = file.add(chunk, at, maxGroup)
        if (file.groupSize < maxGroup) continue
        await file.writeGroup()
        if (file.size < partBytes) continue
        parts.push(await file.close())
        file = undefined
      }
    }
    if (file) parts.push(await file.close())
  } catch (error) {
    await file?.abandon(error)
    throw error
  }
  return parts
}

/** A writer whose output is drained after each column, so that an entire file is never in memory. */
class DrainedWriter extends ByteWriter {
  take(): Uint8Array {
    const bytes = new Uint8Array(this.getBuffer())
    this.index = 0
    return bytes
  }
}

class ParquetFile {
  readonly #part: OpenPart
  readonly #columns: readonly ParquetColumn[]
  readonly #cells: readonly ColumnCells[]
  readonly #output = new DrainedWriter()
  readonly #writer: ParquetWriter
  #rows = 0
  /** Size of the unwritten rows as text. */
  groupSize = 0
  /** Size of the written rows as text. */
  size = 0

  constructor(part: OpenPart, columns: readonly ParquetColumn[]) {
    this.#part = part
    this.#columns = columns
    this.#cells = columns.map((column) => new ColumnCells(storageOf(column), widthOf(column)))
    this.#writer = new ParquetWriter({
      writer: this.#output,
      schema: this.#schema(({ annotation: _, ...element }) => element),
      codec: 'ZSTD',
      compressors: { ZSTD: compress },
      createdBy: 'talhouse (hyparquet-writer)',
    })
  }

  /**
   * Adds rows from the given position until the row group reaches its size. Returns the position after the last added
   * row.
   */
  add(rows: Uint8Array, from: number, maxSize: number): number {
    let at = from
    while (at < rows.length && this.groupSize < maxSize) {
      const end = this.#addRow(rows, at)
      this.groupSize += end - at
      at = end
    }
    return at
  }

  #addRow(rows: Uint8Array, from: number): number {
    let column = 0
    let start = from
    let hash = firstHash
    let isEscaped = false
    for (let at = from; ; at += 1) {
      const byte = rows[at] as number
      if (byte !== TAB && byte !== NEWLINE) {
        if (byte === BACKSLASH) isEscaped = true
        hash = nextHash(hash, byte)
        continue
      }
      const cells = this.#cells[column] as ColumnCells
      if (!isEscaped) cells.add(rows, start, at, hash)
      else if (isNull(rows, start, at)) cells.addNull()
      else addEscaped(cells, unescapeCell(rows, start, at))
      if (byte === NEWLINE) return at + 1
      column += 1
      start = at + 1
      hash = firstHash
      isEscaped = false
    }
  }

  /**
   * Writes the rows as a row group. Each column is encoded synchronously. Other tasks in the process can run between
   * columns.
   */
  async writeGroup(): Promise<void> {
    const rows = this.#cells[0]?.rows ?? 0
    if (rows === 0) return
    this.size += this.groupSize
    this.groupSize = 0
    const chunks: ColumnChunk[] = []
    for (const [place, column] of this.#columns.entries()) {
      const cells = this.#cells[place] as ColumnCells
      cells.choose()
      chunks.push(
        column.parseList
          ? this.#writeList(column.name, column.parseList, cells)
          : encodeColumn(this.#output, column, cells),
      )
      cells.clear()
      await this.#part.write(this.#output.take())
      await setImmediate()
    }
    const total = (size: 'total_uncompressed_size' | 'total_compressed_size') =>
      BigInt(sum(chunks.map(({ meta_data }) => Number(meta_data?.[size]))))
    this.#writer.row_groups.push({
      columns: chunks,
      total_byte_size: total('total_uncompressed_size'),
      total_compressed_size: total('total_compressed_size'),
      num_rows: BigInt(rows),
    })
    this.#rows += rows
    this.#writer.num_rows = BigInt(this.#rows)
  }

  /**
   * Lists are encoded by the library, because they are nested. The library adds a row group that contains the column.
   * The row group is then removed.
   */
  #writeList(name: string, parse: (text: string) => unknown[], cells: ColumnCells): ColumnChunk {
    const texts = cells.texts()
    let value = 0
    const data: DecodedArray = Array.from(cells.levels, (level) =>
      level === 0 ? null : parse(texts[value++] as string),
    )
    this.#writer.write({ columnData: [{ name, data, statistics: false }], rowGroupSize: cells.rows })
    return this.#writer.row_groups.pop()?.columns[0] as ColumnChunk
  }

  async close(): Promise<ParquetPart> {
    await this.writeGroup()
    this.#writer.schema = this.#schema(({ annotation, ...element }) => ({
      ...element,
      ...(annotation && { converted_type: annotation }),
    }))
    this.#writer.finish()
    await this.#part.write(this.#output.take())
    return { ...(await this.#part.close()), rows: this.#rows }
  }

  #schema(describe: (element: AnnotatedElement) => SchemaElement): SchemaElement[] {
    const elements = this.#columns.flatMap(({ schema }) => schema.map(describe))
    return [{ name: 'table', num_children: this.#columns.length }, ...elements]
  }

  abandon(error: unknown): Promise<void> {
    return this.#part.abandon(error)
  }
}

function addEscaped(cells: ColumnCells, value: Uint8Array): void {
  cells.add(value, 0, value.length, value.reduce(nextHash, firstHash))
}

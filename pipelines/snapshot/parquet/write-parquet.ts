import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { constants, zstdCompressSync } from 'node:zlib'
import type { DecodedArray, RowGroup, SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { sum } from '../../../src/lib/sum.ts'
import type { Sink } from '../../sinks/sink.ts'
import type { ParquetPart } from '../manifest.ts'
import type { OpenPart } from '../open-part.ts'
import { openPart, partName } from '../open-part.ts'
import type { Cells } from '../rows.ts'
import type { AnnotatedElement, ParquetColumn } from './column.ts'

export interface ParquetTable {
  /** Folder for the parts. Ends with `/`. */
  folder: string
  columns: readonly ParquetColumn[]
  rows: AsyncIterable<readonly Cells[]>
  /** Size of a part file as PostgreSQL's text. */
  partBytes: number
  /** Size of a row group as PostgreSQL's text. Determines the memory, not the table's size. @default 16 MiB */
  groupBytes?: number
}

/** Writes rows to Parquet part files, compressed with zstd. An empty table gets one part without rows. */
export async function writeParquet(sink: Sink, table: ParquetTable): Promise<ParquetPart[]> {
  const { folder, columns, rows, partBytes, groupBytes = 16 * 1024 * 1024 } = table
  const parts: ParquetPart[] = []
  const open = (): ParquetFile =>
    new ParquetFile(openPart(sink, `${folder}${partName(parts.length)}.parquet`, new PassThrough()), columns)
  let file: ParquetFile | undefined = open()
  try {
    for await (const chunk of rows) {
      for (const cells of chunk) {
        file ??= open()
        file.add(cells)
        if (file.groupSize < Math.min(groupBytes, partBytes)) continue
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

/** A writer whose bytes are taken after each column, so that a file is never in memory as a whole. */
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
  readonly #output = new DrainedWriter()
  readonly #writer: ParquetWriter
  #values: unknown[][]
  #rows = 0
  /** Size of the unwritten rows as text. */
  groupSize = 0
  /** Size of the written rows as text. */
  size = 0

  constructor(part: OpenPart, columns: readonly ParquetColumn[]) {
    this.#part = part
    this.#columns = columns
    this.#values = columns.map(() => [])
    this.#writer = new ParquetWriter({
      writer: this.#output,
      schema: this.#schema(({ annotation: _, ...element }) => element),
      codec: 'ZSTD',
      compressors: { ZSTD: compress },
      createdBy: 'talhouse (hyparquet-writer)',
    })
  }

  add(cells: Cells): void {
    // A loop over 78 columns with an iterator takes twice as long.
    for (let place = 0; place < this.#columns.length; place += 1) {
      const cell = cells[place] ?? null
      this.#values[place]?.push(cell === null ? null : this.#columns[place]?.parse(cell))
      this.groupSize += cell === null ? 1 : cell.length + 1
    }
  }

  /**
   * Writes the rows as a row group. The library encodes synchronously, so each column is written in a separate call,
   * and other work of the process runs in between. The calls leave one group per column, which are then combined.
   */
  async writeGroup(): Promise<void> {
    const values = this.#values
    const rows = values[0]?.length ?? 0
    if (rows === 0) return
    this.#values = this.#columns.map(() => [])
    this.size += this.groupSize
    this.groupSize = 0
    const first = this.#writer.row_groups.length
    for (const [place, { name, statistics }] of this.#columns.entries()) {
      const columnData = [{ name, data: values[place] as DecodedArray, statistics }]
      this.#writer.write({ columnData, rowGroupSize: rows })
      values[place] = []
      await this.#part.write(this.#output.take())
      await setImmediate()
    }
    this.#writer.row_groups.push(combine(this.#writer.row_groups.splice(first), rows))
    this.#rows += rows
    this.#writer.num_rows = BigInt(this.#rows)
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

const combine = (groups: readonly RowGroup[], rows: number): RowGroup => ({
  columns: groups.flatMap(({ columns }) => columns),
  total_byte_size: total(groups, 'total_byte_size'),
  total_compressed_size: total(groups, 'total_compressed_size'),
  num_rows: BigInt(rows),
})

const total = (groups: readonly RowGroup[], size: 'total_byte_size' | 'total_compressed_size'): bigint =>
  BigInt(sum(groups.map((group) => Number(group[size]))))

const compress = (bytes: Uint8Array): Uint8Array =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })

import { constants, zstdCompressSync } from 'node:zlib'
import type { ColumnChunk, Encoding, PageHeader, ParquetType, Statistics } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import type { ParquetColumn } from './column.ts'
import { readValue, widthOf } from './column.ts'
import type { ColumnCells } from './column-cells.ts'

/**
 * Appends the chunk of a column without nesting: a dictionary page if the cells have a dictionary, and one data page.
 * Returns its entry in the footer.
 */
export function encodeColumn(output: ByteWriter, column: ParquetColumn, cells: ColumnCells): ColumnChunk {
  const type = column.schema[0]?.type as ParquetType
  const { rows, levels, nulls, indexes } = cells
  const start = output.offset
  const width = widthOf(column)
  const values = column.encode && width !== undefined ? cells.encode(column.encode, width) : undefined
  const stored = values ? new Uint8Array(values.buffer) : cells.bytes
  let uncompressed = 0
  let dictionaryStart: bigint | undefined
  let page = stored
  let encoding: Encoding = 'PLAIN'
  if (indexes && type === 'BOOLEAN') {
    encoding = 'RLE'
    page = encodeBooleans(indexes, stored)
  } else if (indexes) {
    encoding = 'RLE_DICTIONARY'
    dictionaryStart = BigInt(output.offset)
    uncompressed += appendPage(output, new Uint8Array(), stored, {
      type: 'DICTIONARY_PAGE',
      dictionary_page_header: { num_values: cells.stored, encoding: 'PLAIN' },
    })
    page = encodeIndexes(indexes, cells.stored)
  }
  const dataStart = BigInt(output.offset)
  const encodedLevels = encodeRle(levels, 1)
  uncompressed += appendPage(output, encodedLevels, page, {
    type: 'DATA_PAGE_V2',
    data_page_header_v2: {
      num_values: rows,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: encodedLevels.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  })
  const hasDictionary = dictionaryStart !== undefined
  return {
    file_offset: BigInt(start),
    meta_data: {
      type,
      encodings: hasDictionary ? ['PLAIN', encoding] : [encoding],
      path_in_schema: [column.name],
      codec: 'ZSTD',
      num_values: BigInt(rows),
      total_compressed_size: BigInt(output.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: dataStart,
      ...(dictionaryStart !== undefined && { dictionary_page_offset: dictionaryStart }),
      ...(column.statistics && values && { statistics: statisticsOf(type, values, cells.stored, nulls) }),
      encoding_stats: [
        ...(hasDictionary ? [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const] : []),
        { page_type: 'DATA_PAGE_V2', encoding, count: 1 },
      ],
    },
  }
}

function encodeIndexes(indexes: Int32Array, distinct: number): Uint8Array {
  const width = Math.ceil(Math.log2(distinct))
  const page = new ByteWriter()
  page.appendUint8(width)
  writeRleBitPackedHybrid(page, indexes, width)
  return page.getBytes()
}

/** Encodes booleans with run-length encoding, preceded by the encoded length in bytes. */
function encodeBooleans(indexes: Int32Array, distinct: Uint8Array): Uint8Array {
  const runs = encodeRle(
    indexes.map((index) => distinct[index] as number),
    1,
  )
  const page = new ByteWriter(runs.length + 4)
  page.appendUint32(runs.length)
  page.appendBytes(runs)
  return page.getBytes()
}

function encodeRle(values: Uint8Array | Int32Array, width: number): Uint8Array {
  const runs = new ByteWriter()
  writeRleBitPackedHybrid(runs, values, width)
  return runs.getBytes()
}

type Kind = Pick<PageHeader, 'type' | 'dictionary_page_header' | 'data_page_header_v2'>

/** Appends the page with uncompressed levels, and returns the size of the page and its header before compression. */
function appendPage(output: ByteWriter, levels: Uint8Array, page: Uint8Array, kind: Kind): number {
  const compressed = compress(page)
  const start = output.offset
  writePageHeader(output, {
    ...kind,
    uncompressed_page_size: levels.length + page.length,
    compressed_page_size: levels.length + compressed.length,
  })
  const headerSize = output.offset - start
  output.appendBytes(levels)
  output.appendBytes(compressed)
  return headerSize + levels.length + page.length
}

export const compress = (bytes: Uint8Array): Uint8Array =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })

/**
 * Returns the minimum and maximum, ignoring NaN. As Parquet requires, a minimum of zero is -0 and a maximum of zero is
 * +0.
 */
function statisticsOf(type: ParquetType, values: DataView, count: number, nulls: number): Statistics {
  const width = values.byteLength / count
  let min: ReturnType<typeof readValue> | undefined
  let max: ReturnType<typeof readValue> | undefined
  for (let place = 0; place < count; place += 1) {
    const value = readValue(type, values, place * width)
    if (Number.isNaN(value)) continue
    if (min === undefined || value < min) min = value
    if (max === undefined || value > max) max = value
  }
  return {
    null_count: BigInt(nulls),
    ...(min !== undefined && { min_value: min === 0 ? -0 : min }),
    ...(max !== undefined && { max_value: max === 0 ? 0 : max }),
  }
}

import { zstdDecompressSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import type { Sink } from '../../../../pipelines/sinks/sink.ts'
import { parquetColumn } from '../../../../pipelines/snapshot/parquet/column.ts'
import { toCopyText, wholeRows } from '../../../../pipelines/snapshot/parquet/copy-text.ts'
import type { Encode } from '../../../../pipelines/snapshot/parquet/encode-text.ts'
import {
  encodeDate,
  encodeInt64,
  encodeLongDecimal,
  encodeShortDecimal,
  encodeTimestamp,
} from '../../../../pipelines/snapshot/parquet/encode-text.ts'
import { writeParquet } from '../../../../pipelines/snapshot/parquet/write-parquet.ts'
import type { Cells } from '../../../../pipelines/snapshot/rows.ts'
import { randomFrom } from '../../../helpers/cloned-database.ts'

const encoded = (encode: Encode, text: string): DataView => {
  const view = new DataView(new ArrayBuffer(16))
  encode(Buffer.from(`\t${text}\t`), 1, text.length + 1, view, 0)
  return view
}
const long = (text: string, scale: number): bigint => {
  const view = encoded(encodeLongDecimal(scale), text)
  return (view.getBigInt64(0) << 64n) | view.getBigUint64(8)
}
const random = randomFrom(7)
const randomDigits = (count: number): string => Array.from({ length: count }, () => Math.floor(random() * 10)).join('')

describe('the encoding of', () => {
  it.each([
    '0',
    '-1',
    '42',
    '9223372036854775807',
    '-9223372036854775808',
    '999999',
    '-1000000',
  ])('encodes the bigint %s exactly', (text) => {
    expect(encoded(encodeInt64, text).getBigInt64(0, true)).toBe(BigInt(text))
  })

  it.each([
    ['0', 8, 0n],
    ['-0.5', 8, -50_000_000n],
    ['1.50000000000', 2, 150n],
    ['123456789012345678901234567890.12345678', 8, 12345678901234567890123456789012345678n],
    ['-99999999999999999999999999999999999999', 0, -99999999999999999999999999999999999999n],
  ])('encodes the decimal %s with scale %i exactly', (text, scale, value) => {
    expect(long(text, scale)).toBe(value)
  })

  it('encodes random decimals exactly', () => {
    for (let round = 0; round < 2_000; round += 1) {
      const sign = random() < 0.5 ? '-' : ''
      const [whole, decimals] = [randomDigits(1 + Math.floor(random() * 30)), randomDigits(Math.floor(random() * 9))]
      const unscaled = BigInt(`${sign}${whole}${decimals.padEnd(8, '0')}`)
      const text = `${sign}${whole}${decimals && `.${decimals}`}`
      expect(long(text, 8), text).toBe(unscaled)
      const short = `${sign}${whole.slice(0, 10)}${decimals && `.${decimals}`}`
      expect(encoded(encodeShortDecimal(8), short).getBigInt64(0, true), short).toBe(
        BigInt(`${sign}${whole.slice(0, 10)}${decimals.padEnd(8, '0')}`),
      )
    }
  })

  it('encodes days and times like Date, in all years', () => {
    for (let round = 0; round < 5_000; round += 1) {
      const time = Math.floor((random() * 9_998 - 1_969) * 365.2425 * 86_400) * 1_000
      const iso = new Date(time).toISOString()
      expect(encoded(encodeDate, iso.slice(0, 10)).getInt32(0, true), iso).toBe(Math.floor(time / 86_400_000))
      const fraction = randomDigits(Math.floor(random() * 7))
      const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction && `.${fraction}`}+00`
      expect(encoded(encodeTimestamp, text).getBigInt64(0, true), text).toBe(
        BigInt(time) * 1_000n + BigInt(fraction.padEnd(6, '0')),
      )
    }
  })
})

describe('a Parquet file', () => {
  it.each([
    ['of distinct values', (row: number) => `value ${row}`],
    ['of few values', (row: number) => `value ${row % 7}`],
    ['whose values become distinct', (row: number) => `value ${row < 1_100 ? row % 3 : row}`],
    [
      'of escapes and Unicode',
      (row: number) => ['', '\\N', 'a\tb\nc\\d\r', 'naïve – 東京 🏦', '\b\f\v'][row % 5] as string,
    ],
    ['of long values', (row: number) => 'x'.repeat(row % 500)],
    ['of nulls', () => null],
  ])('a Parquet file %s has the rows that were written', async (_, textOf) => {
    const rows = Array.from(
      { length: 3_000 },
      (_value, row): Cells => [
        row % 11 === 0 ? null : textOf(row),
        String(row % 2 === 0 ? row : 5),
        row % 3 === 0 ? null : row % 3 === 1 ? 't' : 'f',
        row % 4 === 0 ? null : `{a,"${row % 5}",NULL}`,
      ],
    )
    const { bytes, parts } = await written(rows, ['text', 'bigint', 'boolean', 'text[]'])
    expect(parts.map((part) => part.rows)).toEqual([3_000])
    expect(parquetMetadata(bytes).row_groups.length).toBeGreaterThan(1)
    const found = await parquetReadObjects({ file: bytes, compressors: { ZSTD: (page) => zstdDecompressSync(page) } })
    expect(found).toEqual(
      rows.map(([body, large, flag, tags], row) => ({
        ...{ c0: body, c1: BigInt(large as string), c2: flag === null ? null : flag === 't' },
        c3: tags === null ? undefined : ['a', String(row % 5), null],
      })),
    )
  })
})

/** Writes rows in several row groups, as chunks that end in the middle of rows. */
async function written(rows: readonly Cells[], types: readonly string[]) {
  const stored: Buffer[] = []
  const sink = {
    async write(_key: string, content: AsyncIterable<Buffer>) {
      for await (const chunk of content) stored.push(chunk)
    },
  } as unknown as Sink
  const text = Buffer.from(rows.map(toCopyText).join(''))
  const chunks = async function* () {
    for (let at = 0; at < text.length; at += 1_000) yield text.subarray(at, at + 1_000)
  }
  const columns = types.map((type, place) => parquetColumn({ name: `c${place}`, type, field_id: place + 1 }, false))
  const table = {
    folder: 'x/',
    columns,
    rows: wholeRows(chunks()),
    partBytes: 1e9,
    groupBytes: Math.ceil(text.length * 0.7),
  }
  const parts = await writeParquet(sink, table)
  return { parts, bytes: new Uint8Array(Buffer.concat(stored)).buffer }
}

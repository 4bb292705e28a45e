import type { ConvertedType, ParquetType, SchemaElement } from 'hyparquet'
import { parse as parseArray } from 'postgres-array'
import type { Storage } from './column-cells.ts'
import type { Encode } from './encode-text.ts'
import {
  encodeBoolean,
  encodeDate,
  encodeDouble,
  encodeFloat,
  encodeInt32,
  encodeInt64,
  encodeLongDecimal,
  encodeShortDecimal,
  encodeTimestamp,
} from './encode-text.ts'

/** A warehouse column, as described in the manifest. */
export interface SourceColumn {
  name: string
  /** PostgreSQL's name for the column's type. */
  type: string
  /** The column's number in PostgreSQL, which is also its field id in Parquet. */
  field_id: number
}

export interface ParquetColumn {
  name: string
  /** The column's schema elements: one, or three for a list. */
  schema: AnnotatedElement[]
  /** Encodes a value. Undefined for strings, which are stored unchanged. */
  encode: Encode | undefined
  /** For a list, converts PostgreSQL's text to the values that the Parquet library expects. */
  parseList?: (text: string) => unknown[]
  /** Whether row groups store the column's minimum and maximum. */
  statistics: boolean
}

/**
 * A schema element with the older annotation of its logical type, which some readers require. The annotation is added
 * to the file's schema only after encoding, because otherwise the library would convert the values again.
 */
export interface AnnotatedElement extends SchemaElement {
  annotation?: ConvertedType
}

/** A schema element without name and repetition, and the encoding of its values. */
interface Kind {
  element: Omit<AnnotatedElement, 'name'>
  encode?: Encode
  statistics: boolean
  /** SQL condition that is true if a value in the column fits the Parquet type. Absent if all values fit. */
  fits?: (column: string) => string
}

/**
 * Precision and scale of `numeric` columns without a declared precision. Leaves room for 30 digits before the decimal
 * point.
 */
const UNDECLARED = { precision: 38, scale: 8 }
const MAX_PRECISION = 38
const INT64_DIGITS = 18
const NUMERIC = /^numeric(?:\((\d+),(-?\d+)\))?$/
const ARRAY = /\[\]$/

/**
 * The Parquet column for a warehouse column. With `asText`, or for a type without a Parquet equivalent, the column is a
 * string that contains PostgreSQL's text format.
 */
export function parquetColumn({ name, type, field_id }: SourceColumn, asText: boolean): ParquetColumn {
  const own = { name, repetition_type: 'OPTIONAL', field_id } as const
  if (asText || !ARRAY.test(type)) {
    const { element, encode, statistics } = asText ? STRING : kindOf(type)
    return { name, schema: [{ ...own, ...element }], encode, statistics }
  }
  const item = kindOf(type.replace(ARRAY, ''))
  return {
    name,
    schema: [
      { ...own, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', ...item.element },
    ],
    encode: undefined,
    parseList: (text) =>
      (parseArray(text) as (string | null)[]).map((value) => (value === null ? null : libraryValue(item, value))),
    statistics: false,
  }
}

/** Converts a value to the form that the Parquet library accepts. */
function libraryValue({ element: { type, type_length = 8 }, encode }: Kind, text: string): unknown {
  if (encode === undefined || type === undefined) return text
  const view = new DataView(new ArrayBuffer(type_length))
  encode(Buffer.from(text), 0, text.length, view, 0)
  return type === 'FIXED_LEN_BYTE_ARRAY' ? new Uint8Array(view.buffer) : readValue(type, view, 0)
}

/** Reads a stored number or boolean. */
export function readValue(type: ParquetType, view: DataView, at: number): number | bigint | boolean {
  if (type === 'INT32') return view.getInt32(at, true)
  if (type === 'INT64') return view.getBigInt64(at, true)
  if (type === 'FLOAT') return view.getFloat32(at, true)
  if (type === 'DOUBLE') return view.getFloat64(at, true)
  return view.getUint8(at) === 1
}

/** Returns the storage in which the column's values are buffered until they are written. */
export function storageOf({ schema: [element], parseList }: ParquetColumn): Storage {
  return parseList ? 'plain' : element?.type === 'BOOLEAN' ? 'dictionary' : 'smaller'
}

const WIDTHS: Readonly<Record<string, number>> = { BOOLEAN: 1, INT32: 4, INT64: 8, FLOAT: 4, DOUBLE: 8 }

/** Size of an encoded value in bytes. Undefined for strings and lists. */
export const widthOf = ({ schema: [element] }: ParquetColumn): number | undefined =>
  element?.type_length ?? WIDTHS[element?.type ?? '']

/** SQL condition that is true if a value fits the column's Parquet type. Undefined if all values fit. */
export function fitCondition({ type }: SourceColumn, column: string): string | undefined {
  if (!ARRAY.test(type)) return kindOf(type).fits?.(column)
  const item = kindOf(type.replace(ARRAY, '')).fits?.('item')
  const flat = `coalesce(array_ndims(${column}), 1) = 1`
  return item
    ? `${flat} and (select bool_and(item is null or (${item}) is true) from unnest(${column}) item) is not false`
    : flat
}

const STRING: Kind = {
  element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  statistics: false,
}

/**
 * Without an annotation, the physical type is a signed integer of its width. The library writes the logical type
 * INTEGER with an incorrect width field, which makes Spark reject the file.
 */
const integer = (type: 'INT32' | 'INT64', annotation?: 'INT_16'): Kind => ({
  element: { type, ...(annotation && { annotation }) },
  encode: type === 'INT32' ? encodeInt32 : encodeInt64,
  statistics: true,
})

/** Infinity and years outside 1 to 9999 do not fit, because Python and Spark cannot represent them. */
const inCalendar = (column: string): string => `${column} between '0001-01-01' and '9999-12-30'`

const timestamp = (isAdjustedToUTC: boolean): Kind => ({
  element: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MICROS' },
    // The older annotation exists only for times in UTC.
    ...(isAdjustedToUTC && { annotation: 'TIMESTAMP_MICROS' }),
  },
  encode: encodeTimestamp,
  statistics: true,
  fits: inCalendar,
})

const KINDS: Readonly<Record<string, Kind>> = {
  boolean: { element: { type: 'BOOLEAN' }, encode: encodeBoolean, statistics: true },
  smallint: integer('INT32', 'INT_16'),
  integer: integer('INT32'),
  bigint: integer('INT64'),
  real: { element: { type: 'FLOAT' }, encode: encodeFloat, statistics: true },
  'double precision': { element: { type: 'DOUBLE' }, encode: encodeDouble, statistics: true },
  date: {
    element: { type: 'INT32', annotation: 'DATE', logical_type: { type: 'DATE' } },
    encode: encodeDate,
    statistics: true,
    fits: inCalendar,
  },
  json: {
    element: { type: 'BYTE_ARRAY', annotation: 'JSON', logical_type: { type: 'JSON' } },
    statistics: false,
  },
}

function kindOf(type: string): Kind {
  const digits = NUMERIC.exec(type)
  if (digits) return decimal(digits[1] ? { precision: Number(digits[1]), scale: Number(digits[2]) } : UNDECLARED)
  if (/^timestamp.* with time zone$/.test(type)) return timestamp(true)
  if (/^timestamp.* without time zone$/.test(type)) return timestamp(false)
  return KINDS[type === 'jsonb' ? 'json' : type] ?? STRING
}

function decimal({ precision, scale }: { precision: number; scale: number }): Kind {
  if (precision > MAX_PRECISION || scale < 0 || scale > precision) return STRING
  const isShort = precision <= INT64_DIGITS
  return {
    element: {
      ...(isShort ? { type: 'INT64' } : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 }),
      precision,
      scale,
      annotation: 'DECIMAL',
      logical_type: { type: 'DECIMAL', precision, scale },
    },
    encode: isShort ? encodeShortDecimal(scale) : encodeLongDecimal(scale),
    statistics: isShort,
    fits: (column) => `min_scale(${column}) <= ${scale} and abs(${column}) < 1e${precision - scale}`,
  }
}

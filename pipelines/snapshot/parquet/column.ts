import type { ConvertedType, SchemaElement } from 'hyparquet'
import { parse as parseArray } from 'postgres-array'
import { bytesOfDecimal, scaleDecimal } from './decimal.ts'

/** A column of the warehouse as the manifest describes it. */
export interface SourceColumn {
  name: string
  /** PostgreSQL's name for the type. */
  type: string
  /** The column's number in PostgreSQL, which is also its field id in Parquet. */
  field_id: number
}

export interface ParquetColumn {
  name: string
  /** The column's schema elements: one, or three for a list. */
  schema: AnnotatedElement[]
  /** Converts a cell in PostgreSQL's text format. */
  parse: (text: string) => unknown
  /** Whether row groups store the column's minimum and maximum. */
  statistics: boolean
}

/**
 * A schema element with the older annotation of its logical type, which some readers require. It is added to the file's
 * schema only after encoding, because with it the library would convert the values again.
 */
export interface AnnotatedElement extends SchemaElement {
  annotation?: ConvertedType
}

/** An element without name and repetition, and the conversion of its values. */
interface Kind {
  element: Omit<AnnotatedElement, 'name'>
  parse: (text: string) => unknown
  statistics: boolean
  /** SQL condition that is true if a value of the column fits the Parquet type. Absent if all values fit. */
  fits?: (column: string) => string
}

/** Precision and scale of `numeric` columns without a declared precision. Leaves room for 30 digits before the decimal point. */
const UNDECLARED = { precision: 38, scale: 8 }
const MAX_PRECISION = 38
const INT64_DIGITS = 18
const NUMERIC = /^numeric(?:\((\d+),(-?\d+)\))?$/
const ARRAY = /\[\]$/
const MICROS_PER_MS = 1_000n
const DAY_MS = 86_400_000

/**
 * The Parquet column for a column of the warehouse. With `asText`, or for a type without a Parquet equivalent, the
 * column is a string that contains PostgreSQL's text format.
 */
export function parquetColumn({ name, type, field_id }: SourceColumn, asText: boolean): ParquetColumn {
  const own = { name, repetition_type: 'OPTIONAL', field_id } as const
  if (asText || !ARRAY.test(type)) {
    const { element, parse, statistics } = asText ? STRING : kindOf(type)
    return { name, schema: [{ ...own, ...element }], parse, statistics }
  }
  const item = kindOf(type.replace(ARRAY, ''))
  return {
    name,
    schema: [
      { ...own, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', ...item.element },
    ],
    parse: (text) =>
      (parseArray(text) as (string | null)[]).map((value) => (value === null ? null : item.parse(value))),
    statistics: false,
  }
}

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
  parse: (text) => text,
  statistics: false,
}

/**
 * Without an annotation, the physical type is a signed integer of its width. The library writes the logical type INTEGER
 * with a wrong width field, for which Spark rejects the file.
 */
const integer = (type: 'INT32' | 'INT64', parse: (text: string) => unknown, annotation?: 'INT_16'): Kind => ({
  element: { type, ...(annotation && { annotation }) },
  parse,
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
  parse: parseTimestamp,
  statistics: true,
  fits: inCalendar,
})

const KINDS: Readonly<Record<string, Kind>> = {
  boolean: { element: { type: 'BOOLEAN' }, parse: (text) => text === 't', statistics: true },
  smallint: integer('INT32', Number, 'INT_16'),
  integer: integer('INT32', Number),
  bigint: integer('INT64', BigInt),
  real: { element: { type: 'FLOAT' }, parse: Number, statistics: true },
  'double precision': { element: { type: 'DOUBLE' }, parse: Number, statistics: true },
  date: {
    element: { type: 'INT32', annotation: 'DATE', logical_type: { type: 'DATE' } },
    parse: (text) => Date.parse(text) / DAY_MS,
    statistics: true,
    fits: inCalendar,
  },
  json: {
    element: { type: 'BYTE_ARRAY', annotation: 'JSON', logical_type: { type: 'JSON' } },
    parse: (text) => text,
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
    parse: isShort ? (text) => scaleDecimal(text, scale) : (text) => bytesOfDecimal(scaleDecimal(text, scale)),
    statistics: isShort,
    fits: (column) => `min_scale(${column}) <= ${scale} and abs(${column}) < 1e${precision - scale}`,
  }
}

/** Microseconds since 1970 of `2026-11-21 01:02:03.123456+00`. Sessions run in UTC, and years have four digits. */
function parseTimestamp(text: string): bigint {
  const milliseconds = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`)
  const fraction = text[19] === '.' ? (/^\d+/.exec(text.slice(20))?.[0] ?? '') : ''
  return BigInt(milliseconds) * MICROS_PER_MS + BigInt(fraction.padEnd(6, '0'))
}

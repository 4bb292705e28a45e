import type { FirmFieldType } from '../../src/contract/firm-fields.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../../src/contract/firm-fields.ts'
import type { CopyCell } from '../../src/lib/copy-rows.ts'
import { isStorable } from '../../src/lib/storable-text.ts'
import { isDay } from '../../src/lib/timestamps.ts'
import { hostTime } from '../host-profile/times.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import { isKey } from '../warehouse/record-key.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject, uuidOf } from '../warehouse/rejected-record.ts'

/** A firm ready to be written. */
export interface FirmRow {
  firm_id: string
  sec_number: string
  row_hash: string
  /** The values of FIRM_FIELD_NAMES, in order. An array is faster to build and write than an object. */
  values: CopyCell[]
  as_of: string | null
  /** Unknown fields, if there are any. */
  extra: Raw | undefined
}

/** Position of the CRD number in a row's values. */
export const CRD_NUMBER = FIRM_FIELD_NAMES.indexOf('crd_number')

/** The row's non-null values by column, for statements with a JSON parameter. */
export const cellsOf = ({ firm_id, values, extra }: FirmRow): Record<string, unknown> => ({
  firm_id,
  ...Object.fromEntries(FIRM_FIELD_NAMES.map((name, index) => [name, values[index]])),
  ...(extra && { extra }),
})

/** The PostgreSQL type of each field type. */
export const FIRM_SQL_TYPES: Record<FirmFieldType, string> = {
  text: 'text',
  'text[]': 'text[]',
  integer: 'bigint',
  money: 'numeric',
  boolean: 'boolean',
  date: 'date',
}

/** The record's SEC number, by which pages are sorted. Undefined if the number is unusable. */
export function keyOf(record: unknown): string | undefined {
  const key = isRaw(record) ? record['sec_number'] : undefined
  return isKey(key) ? key : undefined
}

/**
 * Reads a record translated by the host profile. Rejects the record if a value does not fit its field's type. The host
 * profile has put unknown fields in `extra`.
 */
export function readFirm(record: unknown): FirmRow | RejectedRecord {
  const key = keyOf(record)
  if (!isRaw(record)) return reject(record, null, 'is not an object')
  if (key === undefined) return reject(record, null, 'sec_number is missing or unusable')
  const values: CopyCell[] = []
  for (const { name, read, type } of FIELDS) {
    const given = record[name]
    const value = given === null || given === undefined ? null : read(given)
    if (value === undefined)
      return reject(record, key, `${name} is ${JSON.stringify(given)?.slice(0, 200)}, not ${type}`)
    values.push(value)
  }
  const crd = values[CRD_NUMBER]
  const extra = isRaw(record['extra']) ? record['extra'] : undefined
  return {
    firm_id: crd === null ? key : String(crd),
    sec_number: key,
    row_hash: uuidOf(extra ? [...values, extra] : values),
    values,
    as_of: READERS.date(record['as_of']) ?? null,
    extra,
  }
}

/** The firm id of a rejected record, if its CRD number is readable. */
export function firmIdOf(record: unknown): string | undefined {
  const number = isRaw(record) ? READERS.integer(record['crd_number']) : undefined
  return number === undefined ? undefined : String(number)
}

const readNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^-?\d{1,18}(\.\d{1,6})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && Math.abs(number) < 1e15 ? number : undefined
}

/**
 * Converts a value to the field's type, or returns undefined. Accepts numeric strings, because other hosts may send
 * amounts as text.
 */
const READERS = {
  text: (value) => (typeof value === 'string' && isStorable(value) ? value : undefined),
  'text[]': (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string' && isStorable(item)) ? value : undefined,
  money: readNumber,
  integer: (value) => {
    const number = readNumber(value)
    return number !== undefined && Number.isInteger(number) ? number : undefined
  },
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => (typeof value === 'string' && isDay(value) ? value : hostTime(value)?.slice(0, 10)),
} satisfies Record<FirmFieldType, (value: unknown) => CopyCell>

const FIELDS = FIRM_FIELD_NAMES.map((name) => {
  const { type } = FIRM_FIELDS[name]
  return { name, type, read: READERS[type] }
})

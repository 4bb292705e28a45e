import type { FirmFieldName, FirmFieldType } from '../../src/contract/firm-fields.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from '../../src/contract/firm-fields.ts'
import { isStorable } from '../../src/lib/storable-text.ts'
import { isDay } from '../../src/lib/timestamps.ts'
import { hostTime } from '../host-profile/times.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import { isKey } from '../warehouse/record-key.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject, uuidOf } from '../warehouse/rejected-record.ts'

/** A firm ready to be written. */
export interface FirmRow {
  firm_id: string
  sec_number: string
  row_hash: string
  /**
   * The row as JSON for PostgreSQL: non-null fields, firm_id, row_hash and as_of. Built once and not copied, because a
   * copy costs as much as building it.
   */
  cells: { firm_id?: string; row_hash?: string; as_of?: unknown; extra?: unknown } & {
    [Field in FirmFieldName]?: unknown
  }
}

/** The PostgreSQL type of each field type. */
export const FIRM_SQL_TYPES: Record<FirmFieldType, string> = {
  text: 'text',
  'text[]': 'text[]',
  integer: 'bigint',
  money: 'numeric',
  boolean: 'boolean',
  date: 'date',
}

/** The record's SEC number, by which pages are sorted. Undefined if it is unusable. */
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
  const cells: FirmRow['cells'] = {}
  for (const name of FIRM_FIELD_NAMES) {
    const given = record[name]
    if (given === null || given === undefined) continue
    const value = READERS[FIRM_FIELDS[name].type](given)
    if (value === undefined)
      return reject(record, key, `${name} is ${JSON.stringify(given)?.slice(0, 200)}, not ${FIRM_FIELDS[name].type}`)
    cells[name] = value
  }
  const firm_id = cells.crd_number === undefined ? key : String(cells.crd_number)
  const extra = isRaw(record['extra']) ? record['extra'] : undefined
  const row_hash = uuidOf([...FIRM_FIELD_NAMES.map((name) => cells[name] ?? null), ...(extra ? [extra] : [])])
  cells.firm_id = firm_id
  cells.row_hash = row_hash
  cells.as_of = READERS.date(record['as_of'])
  if (extra) cells.extra = extra
  return { firm_id, sec_number: key, row_hash, cells }
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
const READERS: Record<FirmFieldType, (value: unknown) => unknown> = {
  text: (value) => (typeof value === 'string' && isStorable(value) ? value : undefined),
  'text[]': (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string' && isStorable(item)) ? value : undefined,
  money: readNumber,
  integer: (value) => {
    const number = readNumber(value)
    return Number.isInteger(number) ? number : undefined
  },
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => (typeof value === 'string' && isDay(value) ? value : hostTime(value)?.slice(0, 10)),
}

import { hash } from 'node:crypto'
import { MAX_INTEGER } from '../../src/lib/storable-text.ts'
import { isDay } from '../../src/lib/timestamps.ts'
import { hostTime } from '../host-profile/times.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isKey } from '../warehouse/record-key.ts'
import type { ColumnType, RowShape } from './row-shape.ts'

/** A row ready to be written, with its key, values and row hash. */
export type Row = Record<string, unknown> & { row_hash: string }

/**
 * Functions that convert a value to a column's type. The functions return null for an empty key, and undefined for a
 * value that does not fit.
 */
const READERS: Record<ColumnType, (value: unknown) => unknown> = {
  key: (value) => (value === '' ? null : isKey(value) ? value : undefined),
  text: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined),
  integer: (value) => {
    const number = numberOf(value)
    return Number.isInteger(number) && Math.abs(number as number) <= MAX_INTEGER ? number : undefined
  },
  number: (value) => numberOf(value),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => {
    const day = typeof value === 'string' ? value.slice(0, 10) : ''
    return isDay(day) ? day : hostTime(value)?.slice(0, 10)
  },
  timestamp: hostTime,
  json: (value) => value,
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Reads a record from any host. Missing fields become null. If a value does not fit its column, returns the reason. */
export function readRow(shape: RowShape, key: Record<string, string | number>, record: Raw): Row | { reason: string } {
  const values: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(shape.columns)) {
    const given = record[name]
    const value = given === null || given === undefined ? null : READERS[type](given)
    if (value === undefined) return { reason: `${name} is ${JSON.stringify(given)?.slice(0, 200)}, not ${type}` }
    if (value === null && shape.required?.includes(name)) return { reason: `${name} is missing` }
    values[name] = value
  }
  return { ...key, ...values, row_hash: hash('md5', JSON.stringify(values)) }
}

export const isRejectedRecord = (row: Row | { reason: string }): row is { reason: string } => !('row_hash' in row)

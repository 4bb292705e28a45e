import { hash } from 'node:crypto'

/** A record that the warehouse cannot store, kept in `warehouse.quarantine`. */
export interface RejectedRecord {
  key: string | null
  reason: string
  /** Hash of the record: the same record is stored once, however often it is pulled. */
  fingerprint: string
  record: unknown
}

export const isRejected = <Row extends object>(row: Row | RejectedRecord): row is RejectedRecord => 'reason' in row

export function reject(record: unknown, key: string | null, reason: string): RejectedRecord {
  return { key, reason, fingerprint: uuidOf(record), record }
}

/** 128 bits of a value's JSON in the form of a uuid, which takes 16 bytes in a row. */
export function uuidOf(value: unknown): string {
  const hex = hash('md5', JSON.stringify(value) ?? 'undefined')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

import { hash } from 'node:crypto'
import { pluralize } from '../../src/lib/pluralize.ts'

/** A record that the warehouse cannot store, kept in `warehouse.quarantine`. */
export interface RejectedRecord {
  key: string | null
  reason: string
  /** Hash of the record, used to detect identical records. */
  fingerprint: string
  record: unknown
}

export const isRejected = <Row extends object>(row: Row | RejectedRecord): row is RejectedRecord => 'reason' in row

export function reject(record: unknown, key: string | null, reason: string): RejectedRecord {
  return { key, reason, fingerprint: uuidOf(record), record }
}

/** The reason a run with rejected records is degraded. */
export const rejectedReason = (count: number, noun: string): string =>
  `${pluralize(count, noun)} ${count === 1 ? 'was' : 'were'} rejected; see the reasons in warehouse.quarantine`

/** A 128-bit hash of a value's JSON, formatted as a UUID because PostgreSQL stores UUIDs in 16 bytes. */
export function uuidOf(value: unknown): string {
  const hex = hash('md5', JSON.stringify(value) ?? 'undefined')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

import { hash } from 'node:crypto'
import { parseTimestamp } from '../../src/lib/timestamps.ts'
import type { Raw } from '../members/read-row.ts'
import { isRaw } from '../members/read-row.ts'
import { isKey } from '../warehouse/record-key.ts'

/** A history event ready to be written. */
export interface EventRow {
  domain: string
  event_key: string
  entity: string
  key: string
  person_id: string | null
  kind: string | null
  field: string
  old_value: unknown
  new_value: unknown
  changed_at: string
  /** Order among events of the record with the same `changed_at`, oldest first. */
  position: number
  source: string | null
  task_id: string | null
}

/**
 * Reads an event of any host. The interface defines no event fields, so only `field` and `changed_at` are required. The
 * key is the host's id, else a hash of the content.
 */
export function readEvent(
  domain: string,
  entity: 'company' | 'person',
  key: string,
  event: unknown,
): EventRow | { reason: string } {
  if (!isRaw(event)) return { reason: 'is not an object' }
  const field = event['field']
  const changedAt = event['changed_at']
  const timestamp = typeof changedAt === 'string' ? parseTimestamp(changedAt) : undefined
  if (typeof field !== 'string' || field === '') return { reason: 'field is missing' }
  if (timestamp === undefined) return { reason: `changed_at is ${JSON.stringify(changedAt)}, not a timestamp` }
  const content = [entity, key, field, event['old_value'] ?? null, event['new_value'] ?? null, changedAt]
  return {
    domain,
    event_key: idOf(event) ?? `content:${hash('md5', JSON.stringify(content))}`,
    entity,
    key,
    person_id: textOf(event['person_id']),
    kind: textOf(event['kind']),
    field,
    old_value: event['old_value'] ?? null,
    new_value: event['new_value'] ?? null,
    changed_at: timestamp,
    position: 0,
    source: textOf(event['source']),
    task_id: textOf(event['task_id']),
  }
}

/** Names an event within its domain: ids may be unique only per record. */
export const eventName = ({ entity, key, event_key }: Pick<EventRow, 'entity' | 'key' | 'event_key'>): string =>
  `${entity}/${key}/${event_key}`

export const isRejectedEvent = (event: EventRow | { reason: string }): event is { reason: string } => 'reason' in event

const idOf = ({ id }: Raw): string | undefined => (isKey(id) ? id : typeof id === 'number' ? String(id) : undefined)

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

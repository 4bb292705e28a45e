import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sortedKeys } from '../../src/lib/sorted-keys.ts'
import { storableJson } from '../../src/lib/storable-text.ts'
import { hostTime } from '../host-profile/times.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import { isKey } from '../warehouse/record-key.ts'

/** A record with a history: a company, or a person at a company. */
export interface HistoryRecord {
  entity: 'company' | 'person'
  domain: string
  /** The domain, or the person's key. */
  key: string
}

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
  /** Position among the record's events with the same `changed_at`, counted from the oldest. */
  position: number
  source: string | null
  task_id: string | null
  extra: unknown
  /** The event as received. Null if the event equals the row. */
  raw: unknown
  /** @default now */
  recorded_at?: string
}

/** Key prefix for events without an id. */
const CONTENT_KEY = 'content:'

/**
 * Reads an event that the host profile has translated from `received`. `received` is null if raw events are not kept.
 * The event's key is the host's id, which may be unique only within the record, or a hash of the content if there is no
 * id.
 */
export function readEvent(
  { domain, entity, key }: HistoryRecord,
  event: unknown,
  received: unknown,
): EventRow | { reason: string } {
  if (!isRaw(event)) return { reason: 'is not an object' }
  const { field, changed_at: changedAt, old_value = null, new_value = null, extra = null } = event
  const timestamp = hostTime(changedAt)
  if (typeof field !== 'string' || field === '') return { reason: `field is missing${named(event)}` }
  if (timestamp === undefined)
    return { reason: `changed_at is ${JSON.stringify(changedAt)}, not a timestamp${named(event)}` }
  // An event may omit one of the values, but one of its unknown fields may contain the missing value under another
  // name.
  if (!('new_value' in event) && (!('old_value' in event) || extra !== null))
    return { reason: `new_value is missing${named(event)}` }
  // jsonb does not preserve the order of keys.
  const content = [entity, key, field, old_value, new_value, changedAt]
  const row = {
    domain,
    event_key: idOf(event) ?? `${CONTENT_KEY}${hash('md5', storableJson(sortedKeys(content)))}`,
    entity,
    key,
    person_id: textOf(event['person_id']),
    kind: textOf(event['kind']),
    field,
    old_value,
    new_value,
    changed_at: timestamp,
    position: 0,
    source: textOf(event['source']),
    task_id: textOf(event['task_id']),
    extra,
  }
  return { ...row, raw: isEqual(received, row) ? null : received }
}

/** Whether the row contains every field of the event as received. The request determines `entity` and `key`. */
function isEqual(received: unknown, row: Omit<EventRow, 'raw'>): boolean {
  const { event_key: id, entity, key, ...fields } = row
  const stored: Raw = { id, ...fields }
  return (
    isRaw(received) &&
    Object.entries(received).every(
      ([name, value]) => name === 'entity' || name === 'key' || isDeepStrictEqual(value ?? null, stored[name]),
    )
  )
}

/** A hint that lists the unknown fields, one of which may contain the missing value. */
const named = ({ extra }: Raw): string =>
  isRaw(extra)
    ? `: if the service sends it under another name (${Object.keys(extra).join(', ')}), set pipelines.host.fields.event`
    : ''

/**
 * Identifies an event among all events for a domain. The name includes the record, because ids may be unique only
 * within a record.
 */
export const eventName = ({ entity, key, event_key }: Pick<EventRow, 'entity' | 'key' | 'event_key'>): string =>
  `${entity}/${key}/${event_key}`

export const isRejectedEvent = (event: EventRow | { reason: string }): event is { reason: string } => 'reason' in event

const idOf = ({ id }: Raw): string | undefined => (isKey(id) ? id : typeof id === 'number' ? String(id) : undefined)

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

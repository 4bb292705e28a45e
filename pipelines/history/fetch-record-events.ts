import { AppError } from '../../src/lib/errors.ts'
import type { HostClient } from '../host/host-client.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject } from '../warehouse/rejected-record.ts'
import { fetchEvents } from './fetch-events.ts'
import type { EventRow } from './read-event.ts'
import { isRejectedEvent, readEvent } from './read-event.ts'

/** A record that has a history: a company, or a person at one. */
export interface HistoryRecord {
  entity: 'company' | 'person'
  domain: string
  /** The domain, or the person's email_hash. */
  key: string
}

export interface RecordEvents {
  events: EventRow[]
  rejected: RejectedRecord[]
}

/** A record's events after `since`, and rejected ones. Undefined if the service repeats the same page. */
export async function fetchRecordEvents(
  client: HostClient,
  { entity, domain, key }: HistoryRecord,
  since: string | undefined,
  signal: AbortSignal,
): Promise<RecordEvents | undefined> {
  const source = entity === 'company' ? client.companies : client.persons
  const fetched = await fetchEvents((query) => source.history(key, query, signal), since).catch(whenNotFound)
  if (fetched === undefined) return undefined
  const found: RecordEvents = { events: [], rejected: [] }
  for (const raw of fetched) {
    const event = readEvent(domain, entity, key, raw)
    if (isRejectedEvent(event)) found.rejected.push(reject(raw, key, event.reason))
    else found.events.push(event)
  }
  setPositions(found.events)
  return found
}

/** Numbers events with the same time from the oldest on. Hosts list the newest first, unless the times of the reply ascend. */
function setPositions(events: EventRow[]): void {
  const ascends = (events[0]?.changed_at ?? '') < (events.at(-1)?.changed_at ?? '')
  const oldestFirst = ascends ? events : events.toReversed()
  let previous: EventRow | undefined
  for (const event of oldestFirst) {
    event.position = previous?.changed_at === event.changed_at ? previous.position + 1 : 0
    previous = event
  }
}

/** A record without history, or one erased between two requests. */
function whenNotFound(error: unknown): unknown[] {
  if (error instanceof AppError && error.code === 'not_found') return []
  throw error
}

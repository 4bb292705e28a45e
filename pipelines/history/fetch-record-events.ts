import { AppError } from '../../src/lib/errors.ts'
import type { HostClient } from '../host/host-client.ts'
import { refuseMasked } from '../host/refuse-masked.ts'
import type { Host } from '../host-profile/host.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { reject } from '../warehouse/rejected-record.ts'
import { fetchEvents } from './fetch-events.ts'
import type { EventRow, HistoryRecord } from './read-event.ts'
import { eventName, isRejectedEvent, readEvent } from './read-event.ts'

/** A record whose history can be fetched. */
export interface FetchableRecord extends HistoryRecord {
  /** The person's id, if the service accepts person ids in paths. Otherwise the key is the person's email_hash. */
  person_id: string | null
}

export interface HistoryReader {
  client: HostClient
  host: Host
  settings: { readonly keep_raw: boolean }
  signal: AbortSignal
}

export interface RecordEvents {
  events: EventRow[]
  rejected: RejectedRecord[]
}

/**
 * Fetches a record's events after `since`, and separates valid events from rejected events. Returns undefined if the
 * service repeats the same page. Throws `configuration` if contact data is masked, because stored events are never
 * changed and would keep the mask.
 */
export async function fetchRecordEvents(
  { client, host, settings, signal }: HistoryReader,
  record: FetchableRecord,
  since: string | undefined,
): Promise<RecordEvents | undefined> {
  const { entity, key, person_id } = record
  const source = entity === 'company' ? client.companies : client.persons
  const fetched = await fetchEvents((query) => source.history(person_id ?? key, query, signal), since, host).catch(
    whenNotFound,
  )
  if (fetched === undefined) return undefined
  const found: RecordEvents = { events: [], rejected: [] }
  for (const [index, raw] of (await host.translate('event', fetched)).entries()) {
    const event = readEvent(record, raw, settings.keep_raw ? fetched[index] : null)
    if (isRejectedEvent(event)) found.rejected.push(reject(fetched[index], key, event.reason))
    else found.events.push(event)
  }
  refuseMasked(found.events.flatMap(({ old_value, new_value }) => [old_value, new_value]))
  // Removes duplicates: events added between two requests push others to the next page, where they are fetched again.
  found.events = [...new Map(found.events.map((event) => [eventName(event), event])).values()]
  await setPositions(found.events, host)
  return found
}

/** Numbers events with the same time, oldest first according to the host's sort order. */
async function setPositions(events: readonly EventRow[], host: Host): Promise<void> {
  const [first, last] = [events[0]?.changed_at ?? '', events.at(-1)?.changed_at ?? '']
  if (first !== last) await host.learnEventOrder(first < last ? 'oldest_first' : 'newest_first')
  const oldestFirst = host.profile.event_order === 'oldest_first' ? events : events.toReversed()
  const next = new Map<string, number>()
  for (const event of oldestFirst) {
    event.position = next.get(event.changed_at) ?? 0
    next.set(event.changed_at, event.position + 1)
  }
}

/** The record has no history, or was erased between two requests. */
function whenNotFound(error: unknown): unknown[] {
  if (error instanceof AppError && error.code === 'not_found') return []
  throw error
}

import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { lockSuppression } from '../erasures/suppression.ts'
import { refuseMasked } from '../host/refuse-masked.ts'
import { Host } from '../host-profile/host.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { countUnresolved } from '../warehouse/quarantine.ts'
import { rejectedReason } from '../warehouse/rejected-record.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { deleteEvents, deleteMarks, listMarksAhead, resolveEvents } from './member-differences.ts'
import { PEOPLE_WITH_HISTORY } from './people-with-history.ts'
import type { EventRow, HistoryRecord } from './read-event.ts'
import { eventName, isRejectedEvent, readEvent } from './read-event.ts'
import { insertEvents } from './write-events.ts'

type Db = Kysely<WarehouseTables>

/**
 * Re-translates all members' stored and rejected events with the current field names, and rewrites the rows that
 * differ. Events that cannot be parsed with these field names are not changed. Sends no requests.
 */
export const replayHistory: Pipeline = {
  name: 'replay-history',
  async run(context) {
    const { db } = context.warehouse
    const host = await Host.open(context)
    const { rows } = await sql<{ domain: string }>`
      select domain from warehouse.tal_member where gone_at is null
      union select domain from warehouse.history_event order by 1`.execute(db)
    // Members can share a person's rejected event, so rejected events are resolved after the last member.
    const resolved = new Set<string>()
    let done = 0
    context.progress(0, rows.length)
    await forEachConcurrent(rows, context.settings.concurrency, context.signal, async ({ domain }) => {
      const stored = await readStored(db, domain)
      const translated = await translate(host, stored, context.settings.keep_raw)
      const counts = await rewriteEvents(db, domain, { stored, translated }, context.runId)
      addCounts(context.counts, counts)
      if (counts.inserted > 0)
        for (const { from } of translated) if ('fingerprint' in from) resolved.add(from.fingerprint)
      done += 1
      context.progress(done, rows.length)
    })
    await resolveEvents(db, [...resolved])
    const rejected = await countUnresolved(db, ['history_event'])
    return { reasons: [...(rejected > 0 ? [rejectedReason(rejected, 'event')] : []), ...host.driftReasons()] }
  },
}

/** An event that the warehouse received: a row, or a rejected record. */
type StoredEvent = HistoryRecord & ({ row: EventRow } | { fingerprint: string; record: unknown })

/** Reads a member's events, oldest first, and its rejected events. */
async function readStored(db: Db, domain: string): Promise<StoredEvent[]> {
  const { rows } = await sql<EventRow & HistoryRecord>`
    select domain, event_key, entity, key, person_id, kind, field, old_value, new_value,
      to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as changed_at, position, source, task_id, extra, raw,
      to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at
    from warehouse.history_event event where domain = ${domain}
    order by entity, key, event.changed_at, position, event_key`.execute(db)
  const { rows: rejected } = await sql<HistoryRecord & { fingerprint: string; record: unknown }>`
    select ${domain}::text as domain, record.entity, key, fingerprint, record
    from warehouse.quarantine join (
      select 'company' as entity, ${domain}::text as key
      union all select 'person', person_key from ${PEOPLE_WITH_HISTORY} where company_domain = ${domain}
    ) record using (key)
    where quarantine.entity = 'history_event' and resolved_at is null
    order by first_seen_at, fingerprint`.execute(db)
  return [...rows.map((row) => ({ domain, entity: row.entity, key: row.key, row })), ...rejected]
}

/**
 * Translates the rejected events, and the events that are also stored as received. For all other events, the row
 * already contains every field. Omits events that cannot be read. An event whose time has changed is placed after the
 * stored events with the same time. Throws `configuration` if rejected events are masked.
 */
async function translate(
  host: Host,
  stored: readonly StoredEvent[],
  keepRaw: boolean,
): Promise<{ event: EventRow; from: StoredEvent }[]> {
  const next = new Map<string, number>()
  for (const one of stored) if ('row' in one) next.set(timeOf(one.row), one.row.position + 1)
  const copies = stored.filter((one) => !('row' in one) || one.row.raw !== null)
  const received = copies.map((one) => ('row' in one ? one.row.raw : one.record))
  return (await host.translate('event', received)).flatMap((fields, index) => {
    const from = copies[index] as StoredEvent
    const event = readEvent(from, fields, keepRaw ? received[index] : null)
    if (isRejectedEvent(event)) return []
    if (!('row' in from)) refuseMasked([event.old_value, event.new_value])
    const time = timeOf(event)
    const isMoved = !('row' in from) || timeOf(from.row) !== time
    event.position = isMoved ? (next.get(time) ?? 0) : from.row.position
    if (isMoved) next.set(time, event.position + 1)
    return [{ event: 'row' in from ? { ...event, recorded_at: from.row.recorded_at as string } : event, from }]
  })
}

const timeOf = ({ entity, key, changed_at }: EventRow): string => `${entity}/${key}/${changed_at}`

/**
 * Replaces the rows that differ, and stores rejected events that are now valid. Deletes watermarks that would hide
 * events, so that the next pull reads from the beginning. Does nothing if a pull or an erasure has changed the events.
 */
async function rewriteEvents(
  db: Db,
  domain: string,
  { stored, translated }: { stored: readonly StoredEvent[]; translated: Awaited<ReturnType<typeof translate>> },
  runId: number,
): Promise<{ inserted: number; updated: number; unchanged: number }> {
  const changed = translated.filter(({ event, from }) => !('row' in from && isDeepStrictEqual(event, from.row)))
  const replaced = changed.flatMap(({ from }) => ('row' in from ? eventName(from.row) : []))
  const counts = {
    inserted: changed.length - replaced.length,
    updated: replaced.length,
    unchanged: stored.filter((one) => 'row' in one).length - replaced.length,
  }
  if (changed.length === 0) return counts
  return await db.transaction().execute(async (trx) => {
    await lockSuppression(trx)
    await sql`select from warehouse.tal_member where domain = ${domain} for update`.execute(trx)
    if (!isDeepStrictEqual(await readStored(trx, domain), stored)) return { inserted: 0, updated: 0, unchanged: 0 }
    await deleteEvents(trx, domain, replaced)
    const events = new Map(changed.map(({ event }) => [eventName(event), event]))
    await insertEvents(trx, { events: [...events.values()], rejected: [] }, runId)
    const ahead = await listMarksAhead(trx, domain)
    await deleteMarks(
      trx,
      ahead.flatMap(({ record }) => record ?? []),
    )
    return counts
  })
}

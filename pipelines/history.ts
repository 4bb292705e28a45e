import { eachAtOnce } from './each-at-once.ts'
import { fetchEvents } from './history/fetch-events.ts'
import { whenNotFound } from './history/fetch-member-events.ts'
import type { MovedRecord } from './history/moved-records.ts'
import { listMovedRecords, noteChecked } from './history/moved-records.ts'
import { overlapBefore } from './history/overlap.ts'
import type { EventRow } from './history/read-event.ts'
import { isUnfitEvent, readEvent } from './history/read-event.ts'
import { writeEvents } from './history/write-events.ts'
import type { Pipeline, RunContext } from './pipeline.ts'
import type { Misfit } from './warehouse/firm-record.ts'
import { misfit } from './warehouse/firm-record.ts'

/**
 * Takes in what changed: for each member whose record moved, its events and those of its people since their watermarks, with an overlap for
 * what a host may show late. A watermark moves in the transaction that writes the events, when all of them are there.
 */
export const history: Pipeline = {
  name: 'history',
  description: 'Take in what changed of the members and their people',
  async run(context) {
    const moved = await listMovedRecords(context.warehouse.db)
    const byDomain = Map.groupBy(moved, ({ domain }) => domain)
    const reasons: string[] = []
    let done = 0
    context.progress(0, byDomain.size)
    await eachAtOnce(byDomain.values(), context.settings.concurrency, context.signal, async (records) => {
      const repeating: string[] = []
      for (const record of records) if (!(await takeIn(context, record))) repeating.push(record.key)
      if (repeating.length === 0) await noteChecked(context.warehouse.db, records[0] as MovedRecord, context.runId)
      else
        reasons.push(
          `the history of ${repeating.join(', ')} repeats the same page for ever: nothing of it was taken in, and its watermark stays`,
        )
      done += 1
      context.progress(done, byDomain.size)
    })
    if (context.counts.quarantined > 0)
      reasons.push(
        `${context.counts.quarantined} events do not fit and are in warehouse.quarantine, with the reason of each`,
      )
    return { reasons }
  },
}

/** False when the service never comes to an end. */
async function takeIn(context: RunContext, record: MovedRecord): Promise<boolean> {
  const { client, signal } = context
  const since =
    record.watermark === null ? undefined : overlapBefore(record.watermark, context.settings.history.overlap_minutes)
  const source = record.entity === 'company' ? client.companies : client.persons
  const fetched = await fetchEvents((query) => source.history(record.key, query, signal), since).catch(whenNotFound)
  if (fetched === undefined) return false
  const events: EventRow[] = []
  const misfits: Misfit[] = []
  for (const raw of fetched) {
    const event = readEvent(record.domain, record.entity, record.key, raw)
    if (isUnfitEvent(event)) misfits.push(misfit(raw, record.key, event.reason))
    else events.push(event)
  }
  const written = await writeEvents(context.warehouse.db, { subject: record.subject, events, misfits }, context.runId)
  context.counts.inserted += written.inserted
  context.counts.unchanged += written.unchanged
  context.counts.quarantined += misfits.length
  return true
}

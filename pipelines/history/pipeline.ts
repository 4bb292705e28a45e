import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import type { Pipeline, RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { fetchRecordEvents } from './fetch-record-events.ts'
import type { MovedRecord } from './moved-records.ts'
import { listMovedRecords, noteChecked } from './moved-records.ts'
import { overlapBefore } from './overlap.ts'
import { writeEvents } from './write-events.ts'

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
    await forEachConcurrent(byDomain.values(), context.settings.concurrency, context.signal, async (records) => {
      const repeating: string[] = []
      for (const record of records) if (!(await refreshMembers(context, record))) repeating.push(record.key)
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
async function refreshMembers(context: RunContext, record: MovedRecord): Promise<boolean> {
  const { client, settings, signal, warehouse } = context
  const { subject, watermark } = record
  const since = watermark === null ? undefined : overlapBefore(watermark, settings.history.overlap_minutes)
  const found = await fetchRecordEvents(client, record, since, signal)
  if (found === undefined) return false
  const written = await writeEvents(warehouse.db, { subject, ...found }, context.runId)
  addCounts(context.counts, { ...written, quarantined: found.rejected.length })
  return true
}

import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import type { Pipeline, RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { rejectedReason } from '../warehouse/rejected-record.ts'
import type { ChangedRecord } from './changed-records.ts'
import { listChangedRecords, saveChecked } from './changed-records.ts'
import { fetchRecordEvents } from './fetch-record-events.ts'
import { overlapBefore } from './overlap.ts'
import { writeEvents } from './write-events.ts'

/**
 * Pulls history events of changed members and their people since their watermarks, with an overlap for late events. A
 * watermark moves in the transaction that writes the complete set of events.
 */
export const history: Pipeline = {
  name: 'history',
  description: 'Pull history events of changed members and their people',
  async run(context) {
    const changed = await listChangedRecords(context.warehouse.db)
    const byDomain = Map.groupBy(changed, ({ domain }) => domain)
    const reasons: string[] = []
    let done = 0
    context.progress(0, byDomain.size)
    await forEachConcurrent(byDomain.values(), context.settings.concurrency, context.signal, async (records) => {
      const repeating: string[] = []
      for (const record of records) if (!(await pullEvents(context, record))) repeating.push(record.key)
      if (repeating.length === 0) await saveChecked(context.warehouse.db, records[0] as ChangedRecord, context.runId)
      else
        reasons.push(
          `the service repeats the same page of the history of ${repeating.join(', ')}: no events were written, and the next run tries again`,
        )
      done += 1
      context.progress(done, byDomain.size)
    })
    if (context.counts.quarantined > 0) reasons.push(rejectedReason(context.counts.quarantined, 'event'))
    return { reasons }
  },
}

/** False if the service repeats the same page. */
async function pullEvents(context: RunContext, record: ChangedRecord): Promise<boolean> {
  const { client, settings, signal, warehouse } = context
  const { subject, watermark } = record
  const since = watermark === null ? undefined : overlapBefore(watermark, settings.history.overlap_minutes)
  const found = await fetchRecordEvents(client, record, since, signal)
  if (found === undefined) return false
  const written = await writeEvents(warehouse.db, { subject, ...found }, context.runId)
  addCounts(context.counts, { ...written, quarantined: found.rejected.length })
  return true
}

import { sql } from 'kysely'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { Host } from '../host-profile/host.ts'
import type { Pipeline, RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { countUnresolved, resolveRejected } from '../warehouse/quarantine.ts'
import { rejectedReason } from '../warehouse/rejected-record.ts'
import type { ChangedRecord } from './changed-records.ts'
import { listChangedRecords, saveChecked } from './changed-records.ts'
import { fetchRecordEvents } from './fetch-record-events.ts'
import { listFullPulls, saveFullPull } from './full-pulls.ts'
import { overlapBefore } from './overlap.ts'
import { writeEvents } from './write-events.ts'

/**
 * Pulls the history events of changed members and their people since their watermarks, minus an overlap for late
 * events. Advances a record's watermark in the transaction that writes all its new events. Periodically pulls each
 * member's entire history again.
 */
export const history: Pipeline = {
  name: 'history',
  description: 'Pull history events of changed members and their people',
  async run(context) {
    const { db } = context.warehouse
    if (!context.settings.keep_raw)
      await sql`update warehouse.history_event set raw = null where raw is not null`.execute(db)
    const host = await Host.open(context)
    const now = await context.clock.now()
    const fullPulls = new Set(await listFullPulls(context))
    const changed = await listChangedRecords(db, [...fullPulls])
    const byDomain = Map.groupBy(changed, ({ domain }) => domain)
    const reasons: string[] = []
    let done = 0
    context.progress(0, byDomain.size)
    await forEachConcurrent(byDomain, context.settings.concurrency, context.signal, async ([domain, records]) => {
      const repeating: string[] = []
      const isFull = fullPulls.has(domain)
      for (const record of records)
        if (!(await pullEvents(context, host, isFull ? { ...record, watermark: null } : record)))
          repeating.push(record.key)
      if (repeating.length === 0) {
        await saveChecked(db, records[0] as ChangedRecord, now, context.runId)
        if (isFull || records.every(({ watermark }) => watermark === null))
          await saveFullPull(db, domain, now, context.runId)
      } else
        reasons.push(
          `the service repeats the same page of the history of ${repeating.join(', ')}: no events were written, and the next run tries again`,
        )
      done += 1
      context.progress(done, byDomain.size)
    })
    const rejected = await countUnresolved(db, ['history_event'])
    if (rejected > 0) reasons.push(rejectedReason(rejected, 'event'))
    return { reasons: [...reasons, ...host.driftReasons()] }
  },
}

/** Pulls a record's events. Returns false if the service repeats the same page. */
async function pullEvents(context: RunContext, host: Host, record: ChangedRecord): Promise<boolean> {
  const { settings, warehouse } = context
  const { subject, watermark } = record
  const since = watermark === null ? undefined : overlapBefore(watermark, settings.history.overlap_minutes)
  const found = await fetchRecordEvents({ ...context, host }, record, since)
  if (found === undefined) return false
  const written = await writeEvents(warehouse.db, { subject, ...found }, context.runId)
  addCounts(context.counts, { ...written, quarantined: found.rejected.length })
  if (since === undefined) await resolveRejected(warehouse.db, ['history_event'], [record.key], context.runId)
  return true
}

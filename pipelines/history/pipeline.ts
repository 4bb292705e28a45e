import { sql } from 'kysely'
import { bufferWrites } from '../../src/lib/buffer-writes.ts'
import { forEachConcurrent } from '../../src/lib/for-each-concurrent.ts'
import { Host } from '../host-profile/host.ts'
import type { Pipeline, RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { countUnresolved } from '../warehouse/quarantine.ts'
import { rejectedReason } from '../warehouse/rejected-record.ts'
import type { ChangedMember } from './changed-records.ts'
import { changedMembers, countChanged } from './changed-records.ts'
import { fetchRecordEvents } from './fetch-record-events.ts'
import { overlapBefore } from './overlap.ts'
import type { EventBatch, MemberHistory } from './write-histories.ts'
import { writeHistories } from './write-histories.ts'

/** Number of members per transaction. */
const MEMBERS = 50

/**
 * Pulls the history events of changed members and their people since their watermarks, minus an overlap for late
 * events. Advances a record's watermark in the transaction that writes all its new events. Periodically pulls each
 * member's entire history again.
 */
export const history: Pipeline = {
  name: 'history',
  async run(context) {
    const { db } = context.warehouse
    if (!context.settings.keep_raw)
      await sql`update warehouse.history_event set raw = null where raw is not null`.execute(db)
    const host = await Host.open(context)
    const since = await context.clock.now()
    const reasons: string[] = []
    let done = 0
    const total = await countChanged(context)
    context.progress(0, total)
    const buffer = bufferWrites(MEMBERS, async (histories: MemberHistory[]) => {
      addCounts(context.counts, await writeHistories(db, histories, { since, runId: context.runId }))
    })
    try {
      await forEachConcurrent(changedMembers(context), context.settings.concurrency, context.signal, async (member) => {
        const { repeating, ...history } = await fetchHistory(context, host, member)
        await buffer.add(history)
        if (repeating.length > 0)
          reasons.push(
            `the service repeats the same page of the history of ${repeating.join(', ')}: no events were written, and the next run tries again`,
          )
        done += 1
        context.progress(done, total)
      })
    } finally {
      await buffer.flush()
    }
    const rejected = await countUnresolved(db, ['history_event'])
    if (rejected > 0) reasons.push(rejectedReason(rejected, 'event'))
    return { reasons: [...reasons, ...host.driftReasons()] }
  },
}

/** Fetches the events of a member and its people. Returns the keys of records whose pages the service repeats. */
async function fetchHistory(
  context: RunContext,
  host: Host,
  { domain, history_at, isFull, records }: ChangedMember,
): Promise<MemberHistory & { repeating: string[] }> {
  const batches: EventBatch[] = []
  const repeating: string[] = []
  for (const { subject, watermark, ...record } of records) {
    const since =
      watermark === null || isFull ? undefined : overlapBefore(watermark, context.settings.history.overlap_minutes)
    const found = await fetchRecordEvents({ ...context, host }, record, since)
    if (found) batches.push({ subject, key: record.key, isWhole: since === undefined, ...found })
    else repeating.push(record.key)
  }
  return { domain, history_at, batches, isComplete: repeating.length === 0, repeating }
}

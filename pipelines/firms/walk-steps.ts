import { inSpan } from '../../src/lib/tracing.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { whenReachable } from '../runner/when-reachable.ts'
import type { Page } from '../walk/page.ts'
import { keysOf } from '../walk/page.ts'
import type { WalkSteps } from '../walk/walk.ts'
import type { WalkRange } from '../walk/walk-range.ts'
import type { Walk } from '../walk/walks.ts'
import {
  findSplit,
  freezeCeiling,
  hasMovedTo,
  markIncomplete,
  recordKeyless,
  restartWalk,
  splitRange,
  walkTakenOver,
} from '../walk/walks.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import { isRejected, reject } from '../warehouse/rejected-record.ts'
import type { FetchFirms, FirmRecord } from './fetch-page.ts'
import type { FirmRow } from './firm-record.ts'
import { firmIdOf, readFirm } from './firm-record.ts'
import type { FirmPageWrite } from './write-page.ts'
import { writeFirmPage } from './write-page.ts'

/** The functions with which a walk of firms fetches pages and stores its progress in the warehouse. */
export function firmWalkSteps(context: RunContext, walk: Walk, fetch: FetchFirms): WalkSteps<FirmRecord> {
  const { db } = context.warehouse
  let total = walk.total_at_start ?? undefined
  let asOf = walk.data_as_of
  let done = 0

  /** The first page sets the walk's upper bound. Keys added above it are pulled by the next walk. */
  async function begin(range: WalkRange, page: Page<FirmRecord>): Promise<void> {
    if (range.below !== null) return
    walk.ceiling = keysOf(page)[0] ?? null
    total = page.total
    await whenReachable(() => freezeCeiling(db, walk.id, walk.ceiling, page.total ?? null), context)
  }

  return {
    fetch,
    async commit(range, page, to) {
      await begin(range, page)
      const keyless = page.records.filter(({ key }) => key === undefined).length
      const newer = page.asOf !== undefined && (asOf === null || page.asOf > asOf) ? page.asOf : undefined
      if (keyless > 0 || newer) await whenReachable(() => recordKeyless(db, walk.id, keyless, newer ?? null), context)
      asOf = newer ?? asOf
      const write = {
        walkId: walk.id,
        number: range.number,
        revision: range.revision,
        runId: context.runId,
        ...to,
        ...readPage(page),
      }
      const written = await whenReachable(async (attempt) => {
        // The previous attempt may have been committed although its response was lost.
        if (attempt > 1 && (await hasMovedTo(db, range, to)))
          return { inserted: 0, updated: 0, unchanged: 0, quarantined: 0 }
        return await inSpan('write page of firms', {}, () => writeFirmPage(context.warehouse, write))
      }, context)
      if (!written) throw walkTakenOver(walk.id)
      Object.assign(range, to, { revision: range.revision + 1 })
      addCounts(context.counts, written)
      done += page.records.length
      context.progress(done, total)
    },
    split: (range, key) =>
      whenReachable(
        async (attempt) => (attempt > 1 && (await findSplit(db, range, key))) || (await splitRange(db, range, key)),
        context,
      ),
    restartWalk: () => restartWalk(db, walk.id),
    async markIncomplete(reason) {
      context.log.warn({ walk: walk.id }, reason)
      await markIncomplete(db, walk.id, reason)
    },
  }
}

/** Separates valid rows from rejected records. If a firm appears twice on a page, the second record is rejected. */
function readPage(
  page: Page<FirmRecord>,
): Pick<FirmPageWrite, 'keys' | 'rows' | 'rejected' | 'rejectedFirms' | 'unidentifiedKeys'> {
  const rows = new Map<string, FirmRow>()
  const rejected: RejectedRecord[] = []
  const rejectedFirms: string[] = []
  const unidentifiedKeys: string[] = []
  for (const { key, record } of page.records) {
    const firm = readFirm(record)
    if (isRejected(firm)) {
      rejected.push(firm)
      const id = firmIdOf(record)
      if (id !== undefined) rejectedFirms.push(id)
      else if (key !== undefined) unidentifiedKeys.push(key)
    } else if (rows.has(firm.firm_id))
      rejected.push(reject(record, key ?? null, `firm ${firm.firm_id} appears twice on a page`))
    else rows.set(firm.firm_id, firm)
  }
  return { keys: keysOf(page), rows: [...rows.values()], rejected, rejectedFirms, unidentifiedKeys }
}

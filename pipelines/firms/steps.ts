import type { RunContext } from '../pipeline.ts'
import { addCounts } from '../pipeline.ts'
import { whenReachable } from '../state/reachable.ts'
import type { Walk } from '../state/walks.ts'
import {
  findSplit,
  freezeCeiling,
  hasMovedTo,
  lostWalk,
  noteDoubt,
  noteKeyless,
  splitRange,
  startOver,
} from '../state/walks.ts'
import type { Page } from '../walk/page.ts'
import { keysOf } from '../walk/page.ts'
import type { WalkSteps } from '../walk/walk.ts'
import type { WalkRange } from '../walk/walk-range.ts'
import type { FirmRow, Misfit } from '../warehouse/firm-record.ts'
import { firmIdOf, isMisfit, misfit, readFirm } from '../warehouse/firm-record.ts'
import type { FirmPageWrite } from '../warehouse/write-firm-page.ts'
import { writeFirmPage } from '../warehouse/write-firm-page.ts'
import type { FetchFirms, FirmRecord } from './fetch.ts'

/** What the walk through the firms does to the warehouse. */
export function firmWalkSteps(context: RunContext, walk: Walk, fetch: FetchFirms): WalkSteps<FirmRecord> {
  const { db } = context.warehouse
  let total = walk.total_at_start ?? undefined
  let asOf = walk.data_as_of
  let done = 0

  /** The first page of a walk: what is above its highest key belongs to the next. */
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
      if (keyless > 0 || newer) await whenReachable(() => noteKeyless(db, walk.id, keyless, newer ?? null), context)
      asOf = newer ?? asOf
      const write = {
        walkId: walk.id,
        number: range.number,
        revision: range.revision,
        runId: context.runId,
        ...to,
        ...sortOut(page),
      }
      const written = await whenReachable(async (attempt) => {
        // The answer to the attempt before may be all that was lost.
        if (attempt > 1 && (await hasMovedTo(db, range, to)))
          return { inserted: 0, updated: 0, unchanged: 0, quarantined: 0 }
        return await writeFirmPage(context.warehouse, write)
      }, context)
      if (!written) throw lostWalk(walk.id)
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
    startOver: () => startOver(db, walk.id),
    async doubt(text) {
      context.log.warn({ walk: walk.id }, text)
      await noteDoubt(db, walk.id, text)
    },
  }
}

/** Rows that fit, and those that do not. The same firm twice on a page is one firm and one misfit. */
function sortOut(page: Page<FirmRecord>): Pick<FirmPageWrite, 'keys' | 'rows' | 'misfits' | 'unfitFirms' | 'unread'> {
  const rows = new Map<string, FirmRow>()
  const misfits: Misfit[] = []
  const unfitFirms: string[] = []
  const unread: string[] = []
  for (const { key, record } of page.records) {
    const firm = readFirm(record)
    if (isMisfit(firm)) {
      misfits.push(firm)
      const id = firmIdOf(record)
      if (id !== undefined) unfitFirms.push(id)
      else if (key !== undefined) unread.push(key)
    } else if (rows.has(firm.firm_id))
      misfits.push(misfit(record, key ?? null, `firm ${firm.firm_id} stands twice on a page`))
    else rows.set(firm.firm_id, firm)
  }
  return { keys: keysOf(page), rows: [...rows.values()], misfits, unfitFirms, unread }
}

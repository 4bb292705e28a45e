import { groupCalls } from '../../src/lib/group-calls.ts'
import { inSpan } from '../../src/lib/tracing.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { addCounts } from '../runner/pipeline.ts'
import { whenReachable } from '../runner/when-reachable.ts'
import type { Page } from '../walk/page.ts'
import { keysOf } from '../walk/page.ts'
import type { WalkSteps } from '../walk/walk.ts'
import type { WalkRange } from '../walk/walk-range.ts'
import type { Walk, WalkStart } from '../walk/walks.ts'
import {
  dropVersion,
  findSplit,
  freezeStart,
  hasMoved,
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
import type { FirmPage, WrittenPage } from './write-pages.ts'
import { writeFirmPages } from './write-pages.ts'

/** Maximum number of pages per transaction. */
const MAX_PAGES = 20

/** Functions that a walk of firms uses to fetch pages and store its progress in the warehouse. */
export function firmWalkSteps(context: RunContext, walk: Walk, fetch: FetchFirms): WalkSteps<FirmRecord> {
  const { db } = context.warehouse
  let total = walk.total_at_start ?? undefined
  let asOf = walk.data_as_of
  let done = 0

  /** The first page sets the walk's upper bound. The next walk pulls keys added above this bound. */
  async function begin(range: WalkRange, page: Page<FirmRecord>): Promise<void> {
    if (range.below !== null) return
    const start = startOf(page)
    Object.assign(walk, start)
    total = page.total
    await whenReachable(() => freezeStart(db, walk.id, start), context)
  }

  async function checkVersion({ version }: Page<FirmRecord>): Promise<void> {
    if (walk.data_version === null || version === walk.data_version) return
    walk.data_version = null
    await whenReachable(() => dropVersion(db, walk.id), context)
  }

  const write = groupCalls(MAX_PAGES, (pages: FirmPage[]) =>
    whenReachable((attempt) => writePages(context, walk.id, pages, attempt), context),
  )

  return {
    fetch,
    async commit(range, page, to) {
      await begin(range, page)
      await checkVersion(page)
      const keyless = page.records.filter(({ key }) => key === undefined).length
      const newer = page.asOf !== undefined && (asOf === null || page.asOf > asOf) ? page.asOf : undefined
      if (keyless > 0 || newer) await whenReachable(() => recordKeyless(db, walk.id, keyless, newer ?? null), context)
      asOf = newer ?? asOf
      const written = await write({ number: range.number, revision: range.revision, ...to, ...readPage(page) })
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

/** What the first page of a walk says about all firms. */
export const startOf = (page: Page<FirmRecord>): WalkStart => ({
  ceiling: keysOf(page)[0] ?? null,
  total_at_start: page.total ?? null,
  data_version: page.version ?? null,
})

/** Writes pages in a transaction. Throws `conflict` if another run has taken over the walk. */
async function writePages(
  { warehouse, runId }: RunContext,
  walkId: number,
  pages: readonly FirmPage[],
  attempt: number,
): Promise<WrittenPage[]> {
  // The previous attempt may have been committed even though its response was lost.
  const committed = new Set<FirmPage>()
  if (attempt > 1) for (const page of pages) if (await hasMoved(warehouse.db, walkId, page)) committed.add(page)
  const rest = pages.filter((page) => !committed.has(page))
  const written = await inSpan('write pages of firms', {}, () => writeFirmPages(warehouse, { walkId, runId }, rest))
  if (!written) throw walkTakenOver(walkId)
  const counts = new Map(rest.map((page, index) => [page, written[index]]))
  return pages.map((page) => counts.get(page) ?? { inserted: 0, updated: 0, unchanged: 0, quarantined: 0 })
}

/** Separates valid rows from rejected records. If a firm appears twice on a page, the second record is rejected. */
function readPage(
  page: Page<FirmRecord>,
): Pick<FirmPage, 'keys' | 'rows' | 'rejected' | 'rejectedFirms' | 'unidentifiedKeys'> {
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

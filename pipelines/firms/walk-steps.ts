import type { Kysely } from 'kysely'
import { groupCalls } from '../../src/lib/group-calls.ts'
import { sum } from '../../src/lib/sum.ts'
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
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { FetchFirms, FirmRecord } from './fetch-page.ts'
import type { FirmRow } from './firm-record.ts'
import { firmIdOf, readFirm } from './firm-record.ts'
import type { FirmPage, WrittenPage } from './write-pages.ts'
import { writeFirmPages } from './write-pages.ts'

/** Maximum number of pages per transaction. */
const MAX_PAGES = 40

/** Functions that a walk of firms uses to fetch pages and store its progress in the warehouse. */
export function firmWalkSteps(context: RunContext, walk: Walk, fetch: FetchFirms): WalkSteps<FirmRecord> {
  const { db } = context.warehouse
  let total = walk.total_at_start ?? undefined
  let asOf = walk.data_as_of
  let done = 0

  /** The first page sets the walk's upper bound. The next walk pulls keys added above this bound. */
  async function begin(range: WalkRange, [first]: readonly Page<FirmRecord>[]): Promise<void> {
    if (range.below !== null || !first) return
    const start = startOf(first)
    Object.assign(walk, start)
    total = first.total
    await whenReachable(() => freezeStart(db, walk.id, start), context)
  }

  async function checkVersion(pages: readonly Page<FirmRecord>[]): Promise<void> {
    if (walk.data_version === null || pages.every(({ version }) => version === walk.data_version)) return
    walk.data_version = null
    await whenReachable(() => dropVersion(db, walk.id), context)
  }

  /** Stores the number of records without a key, and a later date of the data. */
  async function recordKeylessAndDate(pages: readonly Page<FirmRecord>[]): Promise<void> {
    const keyless = sum(pages.map(({ records }) => records.filter(({ key }) => key === undefined).length))
    const newest = pages
      .flatMap((page) => page.asOf ?? [])
      .toSorted()
      .at(-1)
    const newer = newest !== undefined && (asOf === null || newest > asOf) ? newest : null
    if (keyless > 0 || newer !== null) await whenReachable(() => recordKeyless(db, walk.id, keyless, newer), context)
    asOf = newer ?? asOf
  }

  const write = groupCalls(MAX_PAGES, (pages: FirmPage[]) =>
    whenReachable((attempt) => writePages(context, walk.id, pages, attempt), context),
  )

  return {
    fetch,
    async commit(range, received) {
      const pages = received.map(({ page }) => page)
      await begin(range, pages)
      await checkVersion(pages)
      await recordKeylessAndDate(pages)
      const { number, revision } = range
      const written = await allOf(
        received.map(({ page, below, closed }, index) =>
          write({ number, revision: revision + index, below, closed, ...readPage(page) }),
        ),
      )
      const { below, closed } = received.at(-1) ?? range
      Object.assign(range, { below, closed, revision: revision + received.length })
      for (const counts of written) addCounts(context.counts, counts)
      done += sum(pages.map(({ records }) => records.length))
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

/** Waits for all promises, so that no write is in progress when an error is thrown. */
export async function allOf<const Promises extends readonly Promise<unknown>[]>(promises: Promises) {
  await Promise.allSettled(promises)
  return await Promise.all(promises)
}

/** Writes pages in a transaction. Throws `conflict` if another run has taken over the walk. */
async function writePages(
  { warehouse, runId }: RunContext,
  walkId: number,
  pages: readonly FirmPage[],
  attempt: number,
): Promise<WrittenPage[]> {
  // The previous attempt may have been committed even though its response was lost.
  const committed = attempt > 1 ? await committedPages(warehouse.db, walkId, pages) : new Set<FirmPage>()
  const rest = pages.filter((page) => !committed.has(page))
  const written = await inSpan('write pages of firms', {}, () => writeFirmPages(warehouse, { walkId, runId }, rest))
  if (!written) throw walkTakenOver(walkId)
  const counts = new Map(rest.map((page, index) => [page, written[index]]))
  return pages.map((page) => counts.get(page) ?? { inserted: 0, updated: 0, unchanged: 0, quarantined: 0 })
}

/** The pages whose range has already moved past them. The pages of a range are committed in order. */
async function committedPages(
  db: Kysely<WarehouseTables>,
  walkId: number,
  pages: readonly FirmPage[],
): Promise<Set<FirmPage>> {
  const committed = new Set<FirmPage>()
  for (const [index, page] of pages.entries())
    if (await hasMoved(db, walkId, page))
      for (const earlier of pages.slice(0, index + 1)) if (earlier.number === page.number) committed.add(earlier)
  return committed
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

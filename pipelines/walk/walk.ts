import { AppError } from '../../src/lib/errors.ts'
import type { KeyOrder } from './key-order.ts'
import { ALL_ORDERS, BYTE_ORDER } from './key-order.ts'
import type { Keyed, Page } from './page.ts'
import { isLastPage, keysOf, pageOrders, pageProblem } from './page.ts'
import { splitKey } from './split-key.ts'
import type { WalkRange } from './walk-range.ts'
import { learnWidths, serialize, shareWidth } from './walk-range.ts'

/** A page and the state of its range after the page. */
export interface ReceivedPage<Row extends Keyed> extends Pick<WalkRange, 'below' | 'closed'> {
  page: Page<Row>
}

/** The functions that a walk calls. Each one either commits its changes or throws without making changes. */
export interface WalkSteps<Row extends Keyed> {
  fetch(below: string | null): Promise<Page<Row>>
  /**
   * Writes the pages' records in order and advances the range. A page and the range's new state are written in one
   * transaction; several pages can be in the same one.
   */
  commit(range: WalkRange, pages: readonly ReceivedPage<Row>[]): Promise<void>
  /** Splits off the part of the range below `key` as a new range. */
  split(range: WalkRange, key: string): Promise<WalkRange>
  /**
   * Replaces all ranges with a single range that covers all keys, for a service that does not sort keys in byte order.
   */
  restartWalk(): Promise<WalkRange>
  /** Records why the walk's completeness cannot be verified. */
  markIncomplete(reason: string): Promise<void>
}

export interface WalkOptions {
  concurrency: number
  /** Maximum number of rows per page. */
  limit: number
  /** The ranges that are not finished when the walk starts or resumes. */
  ranges: WalkRange[]
  /** Whether the service is known to use an order other than byte order. */
  sequential: boolean
  /** Existing keys in byte order, preferred as split points. */
  knownKeys: readonly string[]
  signal: AbortSignal
}

const MAX_PAGE_ATTEMPTS = 3

/** Maximum number of fetched pages of a range that wait to be written while further pages are fetched. */
export const PAGES_AHEAD = 4

/** Thrown if the service does not sort keys in byte order. */
class UnexpectedOrder extends Error {}

/**
 * Walks all ranges to their ends, highest key first, using only `lt` filters. Idle workers take over half of the
 * largest range. If the service does not sort keys in byte order, the walk restarts with one worker.
 */
export async function walk<Row extends Keyed>(steps: WalkSteps<Row>, options: WalkOptions): Promise<void> {
  if (options.sequential) return await walkSequentially(steps, options.ranges, options)
  try {
    await walkInParallel(steps, options)
  } catch (error) {
    if (!(error instanceof UnexpectedOrder)) throw error
    await walkSequentially(steps, [await steps.restartWalk()], options)
  }
}

async function walkSequentially<Row extends Keyed>(
  steps: WalkSteps<Row>,
  ranges: WalkRange[],
  options: WalkOptions,
): Promise<void> {
  let orders: readonly KeyOrder[] = ALL_ORDERS
  for (const range of ranges) {
    while (!range.closed) {
      options.signal.throwIfAborted()
      const page = await fetchPage(steps, range.below)
      orders = pageOrders(page, range.below, orders)
      const below = keysOf(page).at(-1) ?? range.below
      await steps.commit(range, [{ page, below, closed: isLastPage(page, options.limit) }])
      requireCursor(page)
    }
  }
}

async function walkInParallel<Row extends Keyed>(steps: WalkSteps<Row>, options: WalkOptions): Promise<void> {
  const ranges = [...options.ranges]
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  let wake = Promise.withResolvers<void>()
  const changed = (): void => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const state = { steps, options: { ...options, signal }, ranges, changed, nextChange: () => wake.promise }
  // Waits for all workers, so that no rows are written after the walk has thrown.
  const workers = Array.from({ length: options.concurrency }, () =>
    work(state).catch((error: unknown) => {
      if (!stop.signal.aborted) stop.abort(error)
      changed()
    }),
  )
  await Promise.all(workers)
  options.signal.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
}

interface ParallelWalk<Row extends Keyed> {
  steps: WalkSteps<Row>
  options: WalkOptions
  ranges: WalkRange[]
  changed(): void
  nextChange(): Promise<void>
}

async function work<Row extends Keyed>(state: ParallelWalk<Row>): Promise<void> {
  for (;;) {
    state.options.signal.throwIfAborted()
    const change = state.nextChange()
    const range = state.ranges.find(({ owned, closed }) => !owned && !closed) ?? (await steal(state))
    if (range) await walkRange(state, range)
    else if (state.ranges.every(({ closed }) => closed)) return
    else await change
  }
}

/**
 * Fetches the range's pages while earlier ones are written. All pages that were fetched during a write are written
 * together. Returns or throws after the last write.
 */
async function walkRange<Row extends Keyed>(state: ParallelWalk<Row>, range: WalkRange): Promise<void> {
  range.owned = true
  const fetched: Page<Row>[] = []
  let written = Promise.resolve()
  try {
    for (let isLast = false; !isLast && !range.closed; ) {
      state.options.signal.throwIfAborted()
      const page = await fetchPage(state.steps, range.next)
      isLast = receive(state, range, page)
      fetched.push(page)
      const write = written.then(() => serialize(range, () => commitPages(state, range, fetched.splice(0))))
      write.catch(() => undefined) // awaited below
      // The walk's total and version are known when its first page has been written.
      if (range.below === null || fetched.length >= PAGES_AHEAD) await write
      written = write
      state.changed()
    }
    await written
  } finally {
    await written.catch(() => undefined)
    range.owned = false
    state.changed()
  }
}

/** Moves the position of the next request below the page. Returns whether the page is the range's last one. */
function receive<Row extends Keyed>(
  { ranges, options }: ParallelWalk<Row>,
  range: WalkRange,
  page: Page<Row>,
): boolean {
  if (!pageOrders(page, range.next, ALL_ORDERS).includes(BYTE_ORDER)) throw new UnexpectedOrder()
  learnWidths(ranges, range, page)
  const last = keysOf(page).at(-1)
  range.next = last ?? range.next
  return last === undefined || reachesEnd(page, range, options)
}

/** Whether a page is the last of its range. A split may raise the range's floor until the page is written. */
function reachesEnd(page: Page, { floor }: WalkRange, { limit }: WalkOptions): boolean {
  const last = keysOf(page).at(-1)
  return isLastPage(page, limit) || (floor !== null && last !== undefined && BYTE_ORDER.compare(last, floor) < 0)
}

/** Commits the pages' records that are inside the range. */
async function commitPages<Row extends Keyed>(
  { steps, options }: ParallelWalk<Row>,
  range: WalkRange,
  pages: readonly Page<Row>[],
): Promise<void> {
  const received: ReceivedPage<Row>[] = []
  let { below, closed } = range
  for (const page of pages) {
    if (closed) break
    below = keysOf(page).at(-1) ?? below
    closed = reachesEnd(page, range, options)
    received.push({
      page: { ...page, records: page.records.filter((record) => isInside(record, range)) },
      below,
      closed,
    })
  }
  if (received.length > 0) await steps.commit(range, received)
  for (const page of pages) requireCursor(page)
}

const isInside = ({ key }: Keyed, { floor }: WalkRange): boolean =>
  key === undefined || floor === null || BYTE_ORDER.compare(key, floor) >= 0

/** Splits the largest range in progress and returns its lower half. Returns undefined if all ranges are too small. */
async function steal<Row extends Keyed>(state: ParallelWalk<Row>): Promise<WalkRange | undefined> {
  // The range's worker has already requested one page, so the range must have more than two pages left.
  const worthwhile = state.ranges.filter(
    (range) => range.owned && !range.closed && range.next !== null && range.left > 2 * state.options.limit,
  )
  for (const victim of worthwhile.sort((a, b) => b.left - a.left)) {
    const stolen = await serialize(victim, () => halve(state, victim))
    if (stolen) return stolen
  }
  return undefined
}

async function halve<Row extends Keyed>(state: ParallelWalk<Row>, victim: WalkRange): Promise<WalkRange | undefined> {
  if (victim.closed || victim.next === null) return undefined
  const key =
    knownBetween(state.options.knownKeys, victim.floor, victim.next) ?? splitKey(victim.floor ?? '', victim.next)
  if (key === undefined) return undefined
  const stolen = await state.steps.split(victim, key)
  stolen.owned = true // runs before another worker sees the new range
  shareWidth(victim, stolen)
  state.ranges.push(stolen)
  return stolen
}

/** Returns the median of the known keys between two keys. */
function knownBetween(keys: readonly string[], floor: string | null, below: string): string | undefined {
  const from = floor === null ? 0 : lowerBound(keys, floor, true)
  const to = lowerBound(keys, below, false)
  return from < to ? keys[(from + to) >> 1] : undefined
}

/** Returns the index of the first key at or above `key`. With `above`, excludes `key` itself. */
function lowerBound(keys: readonly string[], key: string, above: boolean): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const order = BYTE_ORDER.compare(keys[middle] as string, key)
    if (order < 0 || (above && order === 0)) low = middle + 1
    else high = middle
  }
  return low
}

/** Fetches a page. Retries if the service repeats a page or returns an unexpectedly empty page. */
async function fetchPage<Row extends Keyed>(steps: WalkSteps<Row>, below: string | null): Promise<Page<Row>> {
  for (let attempt = 1; ; attempt += 1) {
    const page = await steps.fetch(below)
    const problem = pageProblem(page, below)
    if (!problem) return page
    if (attempt < MAX_PAGE_ATTEMPTS) continue
    const where = below === null ? 'at the top' : `below ${below}`
    if (page.records.length > 0)
      throw new AppError(
        'upstream_failed',
        `Firms ${where}: ${problem}, ${attempt} times. The pull stops. Rows already written are kept.`,
      )
    await steps.markIncomplete(`${where}: ${problem}`)
    return page
  }
}

/** Throws if no record on the page has a usable key, because the next page could not be requested. */
function requireCursor(page: Page): void {
  if (page.records.length > 0 && keysOf(page).length === 0)
    throw new AppError(
      'upstream_failed',
      'No record on the page has a usable key, so the pull cannot continue. The records are in warehouse.quarantine.',
    )
}

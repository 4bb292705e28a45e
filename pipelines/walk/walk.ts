import { AppError } from '../../src/lib/errors.ts'
import type { KeyOrder } from './key-order.ts'
import { ALL_ORDERS, BYTE_ORDER } from './key-order.ts'
import type { Keyed, Page } from './page.ts'
import { isLastPage, keysOf, pageOrders, suspicion } from './page.ts'
import { splitKey } from './split-key.ts'
import type { WalkRange } from './walk-range.ts'
import { inTurn, learnWidths, shareWidth } from './walk-range.ts'

/** What a walk does to the world. Each of these commits, or throws and has changed nothing. */
export interface WalkSteps<Row extends Keyed> {
  fetch(below: string | null): Promise<Page<Row>>
  /** Writes the page's records and moves the range to `to`, in one statement. */
  commit(range: WalkRange, page: Page<Row>, to: Pick<WalkRange, 'below' | 'closed'>): Promise<void>
  /** Takes the part of the range below `key` away from it, as a new range. */
  split(range: WalkRange, key: string): Promise<WalkRange>
  /** Drops all ranges for one that begins at the top: the host's order is not ours. */
  startOver(): Promise<WalkRange>
  /** Notes what speaks against completeness. */
  doubt(text: string): Promise<void>
}

export interface WalkOptions {
  concurrency: number
  /** Rows asked for a page. */
  limit: number
  /** Open ranges to begin with. */
  ranges: WalkRange[]
  /** The host is known to order otherwise. */
  alone: boolean
  /** Keys known to exist, ascending by bytes: better places to split than a guess. */
  knownKeys: readonly string[]
  signal: AbortSignal
}

const LOOKS_AT_A_PAGE = 3

/** The host compares keys in another way than the one that ranges are split by. */
class OtherOrder extends Error {}

/**
 * Walks all ranges to their ends, newest key first, by `lt` alone. A worker without a range takes half of the widest one. When the
 * host turns out to order otherwise than by bytes, one worker goes on alone, from page to page.
 */
export async function walk<Row extends Keyed>(steps: WalkSteps<Row>, options: WalkOptions): Promise<void> {
  if (options.alone) return await walkAlone(steps, options.ranges, options)
  try {
    await walkTogether(steps, options)
  } catch (error) {
    if (!(error instanceof OtherOrder)) throw error
    await walkAlone(steps, [await steps.startOver()], options)
  }
}

async function walkAlone<Row extends Keyed>(
  steps: WalkSteps<Row>,
  ranges: WalkRange[],
  options: WalkOptions,
): Promise<void> {
  let orders: readonly KeyOrder[] = ALL_ORDERS
  for (const range of ranges) {
    while (!range.closed) {
      options.signal.throwIfAborted()
      const page = await look(steps, range.below)
      orders = pageOrders(page, range.below, orders)
      await steps.commit(range, page, {
        below: keysOf(page).at(-1) ?? range.below,
        closed: isLastPage(page, options.limit),
      })
      refuseStandstill(page)
    }
  }
}

async function walkTogether<Row extends Keyed>(steps: WalkSteps<Row>, options: WalkOptions): Promise<void> {
  const ranges = [...options.ranges]
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  let wake = Promise.withResolvers<void>()
  const changed = (): void => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const crew = { steps, options: { ...options, signal }, ranges, changed, nextChange: () => wake.promise }
  // Every worker is waited for, so that nothing is written after the walk has thrown.
  const workers = Array.from({ length: options.concurrency }, () =>
    work(crew).catch((error: unknown) => {
      if (!stop.signal.aborted) stop.abort(error)
      changed()
    }),
  )
  await Promise.all(workers)
  options.signal.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
}

interface Crew<Row extends Keyed> {
  steps: WalkSteps<Row>
  options: WalkOptions
  ranges: WalkRange[]
  changed(): void
  nextChange(): Promise<void>
}

async function work<Row extends Keyed>(crew: Crew<Row>): Promise<void> {
  for (;;) {
    crew.options.signal.throwIfAborted()
    const change = crew.nextChange()
    const range = crew.ranges.find(({ owned, closed }) => !owned && !closed) ?? (await steal(crew))
    if (range) await walkRange(crew, range)
    else if (crew.ranges.every(({ closed }) => closed)) return
    else await change
  }
}

async function walkRange<Row extends Keyed>(crew: Crew<Row>, range: WalkRange): Promise<void> {
  range.owned = true
  try {
    while (!range.closed) {
      crew.options.signal.throwIfAborted()
      const page = await look(crew.steps, range.below)
      await inTurn(range, () => takePage(crew, range, page))
      crew.changed()
    }
  } finally {
    range.owned = false
  }
}

/** Keeps what belongs to the range: its floor may have risen while the page was on its way. */
async function takePage<Row extends Keyed>(crew: Crew<Row>, range: WalkRange, page: Page<Row>): Promise<void> {
  const orders = pageOrders(page, range.below, ALL_ORDERS)
  if (!orders.includes(BYTE_ORDER)) throw new OtherOrder()
  const { floor } = range
  const last = keysOf(page).at(-1)
  const closed =
    isLastPage(page, crew.options.limit) ||
    (floor !== null && last !== undefined && BYTE_ORDER.compare(last, floor) < 0)
  learnWidths(crew.ranges, range, page)
  const mine = page.records.filter(
    ({ key }) => key === undefined || floor === null || BYTE_ORDER.compare(key, floor) >= 0,
  )
  await crew.steps.commit(range, { ...page, records: mine }, { below: last ?? range.below, closed })
  refuseStandstill(page)
}

/** Takes the lower half of the widest range that another worker is on. Undefined when none is worth it. */
async function steal<Row extends Keyed>(crew: Crew<Row>): Promise<WalkRange | undefined> {
  // The page that is on its way belongs to its owner; less than one more is not worth a request of its own.
  const worthwhile = crew.ranges.filter(
    (range) => range.owned && !range.closed && range.below !== null && range.left > 2 * crew.options.limit,
  )
  for (const victim of worthwhile.sort((a, b) => b.left - a.left)) {
    const stolen = await inTurn(victim, () => halve(crew, victim))
    if (stolen) return stolen
  }
  return undefined
}

async function halve<Row extends Keyed>(crew: Crew<Row>, victim: WalkRange): Promise<WalkRange | undefined> {
  if (victim.closed || victim.below === null) return undefined
  const key =
    knownBetween(crew.options.knownKeys, victim.floor, victim.below) ?? splitKey(victim.floor ?? '', victim.below)
  if (key === undefined) return undefined
  const stolen = await crew.steps.split(victim, key)
  stolen.owned = true // before anybody else sees it
  shareWidth(victim, stolen)
  crew.ranges.push(stolen)
  return stolen
}

/** The middle one of the known keys strictly between the two. */
function knownBetween(keys: readonly string[], floor: string | null, below: string): string | undefined {
  const from = floor === null ? 0 : lowerBound(keys, floor, true)
  const to = lowerBound(keys, below, false)
  return from < to ? keys[(from + to) >> 1] : undefined
}

/** Index of the first key at or above `key`, or above it. */
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

/** Fetches a page, and again when something is wrong with it that may pass. */
async function look<Row extends Keyed>(steps: WalkSteps<Row>, below: string | null): Promise<Page<Row>> {
  for (let time = 1; ; time += 1) {
    const page = await steps.fetch(below)
    const wrong = suspicion(page, below)
    if (!wrong) return page
    if (time < LOOKS_AT_A_PAGE) continue
    const where = below === null ? 'at the top' : `below ${below}`
    if (page.records.length > 0)
      throw new AppError(
        'upstream_failed',
        `Asked for firms ${where}, ${wrong}, ${time} times: the pull stops here. What was taken in stays.`,
      )
    await steps.doubt(`${where} ${wrong}`)
    return page
  }
}

/** Records without a single key give nothing to go on from. */
function refuseStandstill(page: Page): void {
  if (page.records.length > 0 && keysOf(page).length === 0)
    throw new AppError(
      'upstream_failed',
      'A whole page of records has no usable key: the pull cannot go on. They are in warehouse.quarantine.',
    )
}

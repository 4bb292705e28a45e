import type { Page } from './page.ts'

/** A key range still to be walked: keys at or above `floor` and below `below`. */
export interface WalkRange {
  readonly walkId: number
  readonly number: number
  /** Null: no lower bound. */
  floor: string | null
  /** Null: no upper bound. */
  below: string | null
  revision: number
  closed: boolean
  /** Remaining rows: exact once the service's totals are known, else an estimate. */
  left: number
  /** Number of keys below `below`, and below `floor`, as far as totals are known. */
  rank: number | undefined
  floorRank: number | undefined
  /** A worker is processing it. */
  owned: boolean
  /** Settles when the last change ends: a page commit and a split must not overlap. */
  lastChange: Promise<unknown>
}

/** Assumed rows of a range when the service gives no totals: enough for ten splits. */
const ASSUMED_ROWS = 50_000

export const openRange = (
  stored: Pick<WalkRange, 'walkId' | 'number' | 'floor' | 'below' | 'revision'>,
): WalkRange => ({
  ...stored,
  closed: false,
  left: ASSUMED_ROWS,
  rank: undefined,
  floorRank: stored.floor === null ? 0 : undefined,
  owned: false,
  lastChange: Promise.resolve(),
})

/** Runs `work` after all earlier changes of the range, failed ones included. */
export function serialize<T>(range: WalkRange, work: () => Promise<T>): Promise<T> {
  const change = range.lastChange.then(work)
  range.lastChange = change.catch(() => undefined)
  return change
}

/** Derives row counts from totals: a range holds the keys below its ceiling minus those below its floor. Call it before the range moves. */
export function learnWidths(ranges: readonly WalkRange[], range: WalkRange, page: Page): void {
  if (page.total === undefined) return
  for (const above of ranges) if (above.floor !== null && above.floor === range.below) above.floorRank = page.total
  range.rank = page.total - page.records.length
  range.left -= page.records.length
  for (const known of ranges) if (known.rank !== undefined) known.left = Math.min(known.left, known.rank)
  for (const known of ranges)
    if (known.rank !== undefined && known.floorRank !== undefined) known.left = known.rank - known.floorRank
}

/** Divides the estimate of a range between it and the part split off below it. */
export function shareWidth(victim: WalkRange, stolen: WalkRange): void {
  stolen.floorRank = victim.floorRank
  victim.floorRank = undefined
  victim.left /= 2
  stolen.left = victim.left
}

import type { Page } from './page.ts'

/** A remaining key range: keys at or above `floor` and below `below`. */
export interface WalkRange {
  readonly walkId: number
  readonly number: number
  /** Lower bound, inclusive; null if unbounded. */
  floor: string | null
  /** Upper bound, exclusive; null if unbounded. */
  below: string | null
  /** The key below which the next page is requested: `below`, or lower while fetched pages wait to be written. */
  next: string | null
  revision: number
  closed: boolean
  /** Number of remaining rows: exact once the service's totals are known, otherwise an estimate. */
  left: number
  /** Number of keys below `below`, if totals are known. */
  rank: number | undefined
  /** Number of keys below `floor`, if totals are known. */
  floorRank: number | undefined
  /** Whether a worker is processing the range. */
  owned: boolean
  /**
   * Settles when the latest change to the range ends. Changes are serialized, so that a commit and a split do not
   * overlap.
   */
  lastChange: Promise<unknown>
}

/** Assumed number of rows in a range if the service reports no totals. The number is large enough for ten splits. */
const ASSUMED_ROWS = 50_000

export const openRange = (
  stored: Pick<WalkRange, 'walkId' | 'number' | 'floor' | 'below' | 'revision'>,
): WalkRange => ({
  ...stored,
  next: stored.below,
  closed: false,
  left: ASSUMED_ROWS,
  rank: undefined,
  floorRank: stored.floor === null ? 0 : undefined,
  owned: false,
  lastChange: Promise.resolve(),
})

/** Runs `work` after all earlier changes to the range, including failed ones. */
export function serialize<T>(range: WalkRange, work: () => Promise<T>): Promise<T> {
  const change = range.lastChange.then(work)
  range.lastChange = change.catch(() => undefined)
  return change
}

/**
 * Computes the remaining rows of ranges from a page's total: the number of keys below the upper bound minus the number
 * below the floor. Must be called before the range's next request moves below the page.
 */
export function learnWidths(ranges: readonly WalkRange[], range: WalkRange, page: Page): void {
  if (page.total === undefined) return
  for (const above of ranges) if (above.floor !== null && above.floor === range.next) above.floorRank = page.total
  range.rank = page.total - page.records.length
  range.left -= page.records.length
  for (const known of ranges) if (known.rank !== undefined) known.left = Math.min(known.left, known.rank)
  for (const known of ranges)
    if (known.rank !== undefined && known.floorRank !== undefined) known.left = known.rank - known.floorRank
}

/** Assigns half of a range's remaining rows to the new range below it. */
export function shareWidth(victim: WalkRange, stolen: WalkRange): void {
  stolen.floorRank = victim.floorRank
  victim.floorRank = undefined
  victim.left /= 2
  stolen.left = victim.left
}

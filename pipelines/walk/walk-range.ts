import type { Page } from './page.ts'

/** A stretch of the key space still to be walked: keys at or above `floor` and below `below`. */
export interface WalkRange {
  readonly walkId: number
  readonly number: number
  /** Null: down to the lowest key. */
  floor: string | null
  /** Null: from the top. */
  below: string | null
  revision: number
  closed: boolean
  /** Rows in it: exact once the service's totals have told, a guess before that or without them. */
  left: number
  /** Keys below `below`, and below `floor`, where a total has told. */
  rank: number | undefined
  floorRank: number | undefined
  /** A worker is on it. */
  owned: boolean
  /** The end of its last change: a page's commit and a split must not cross. */
  turn: Promise<unknown>
}

/** What a range is thought to hold where the service gives no totals: enough to be split ten times. */
const GUESS = 50_000

export const openRange = (
  stored: Pick<WalkRange, 'walkId' | 'number' | 'floor' | 'below' | 'revision'>,
): WalkRange => ({
  ...stored,
  closed: false,
  left: GUESS,
  rank: undefined,
  floorRank: stored.floor === null ? 0 : undefined,
  owned: false,
  turn: Promise.resolve(),
})

/** Waits for the range's turn, and gives it on whatever happens. */
export function inTurn<T>(range: WalkRange, work: () => Promise<T>): Promise<T> {
  const mine = range.turn.then(work)
  range.turn = mine.catch(() => undefined)
  return mine
}

/** Totals are ranks: the keys below a range's ceiling, less those below its floor, are what it holds. Call it before the range moves. */
export function learnWidths(ranges: readonly WalkRange[], range: WalkRange, page: Page): void {
  if (page.total === undefined) return
  for (const above of ranges) if (above.floor !== null && above.floor === range.below) above.floorRank = page.total
  range.rank = page.total - page.records.length
  range.left -= page.records.length
  for (const known of ranges) if (known.rank !== undefined) known.left = Math.min(known.left, known.rank) // never more than all below it
  for (const known of ranges)
    if (known.rank !== undefined && known.floorRank !== undefined) known.left = known.rank - known.floorRank
}

/** Shares what is known of a range with the part that was split off below it. */
export function shareWidth(victim: WalkRange, stolen: WalkRange): void {
  stolen.floorRank = victim.floorRank
  victim.floorRank = undefined
  victim.left /= 2
  stolen.left = victim.left
}

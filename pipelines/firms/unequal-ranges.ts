import { sql } from 'kysely'
import type { FirmQuery } from '../../src/contract/firms.ts'
import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import type { PipelineDeps } from '../runner/pipeline.ts'
import { keyOf } from './firm-record.ts'
import type { FirmReader } from './query-firms.ts'
import { queryFirms } from './query-firms.ts'
import { sampleKeys } from './sample-keys.ts'

/** Access to the firms in the service and in the warehouse. */
export type FirmComparer = FirmReader & Pick<PipelineDeps, 'warehouse'>

/** The keys at or above `floor` and below `below`. Null means unbounded. */
export interface KeyRange {
  floor: string | null
  below: string | null
}

/**
 * Whether the service sorted keys in byte order in the latest completed pull. Key ranges can be requested only in byte
 * order.
 */
export async function hasByteOrder(db: PipelineDeps['warehouse']['db']): Promise<boolean> {
  const walk = await db
    .selectFrom('sync.walk')
    .select('key_order')
    .where('stream', '=', 'firms')
    .where('closed_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return walk?.key_order !== 'foreign'
}

/** The records in a range, page by page, highest key first. */
export async function* firmPages(
  reader: FirmReader,
  range: KeyRange,
  fields: readonly string[],
): AsyncGenerator<unknown[]> {
  let { below } = range
  for (;;) {
    const page = await queryFirms(reader, pageBelow(below, fields, FIRM_PAGE_MAXIMUM))
    const inside = page.data.filter((record) => range.floor === null || (keyOf(record) ?? range.floor) >= range.floor)
    if (inside.length > 0) yield inside
    const last = page.data.map(keyOf).findLast((key) => key !== undefined)
    const isLast = page.total_count !== undefined && page.total_count <= page.data.length
    if (isLast || last === undefined || last === below || inside.length < page.data.length || last === range.floor)
      return
    below = last
  }
}

/**
 * Finds key ranges in which the warehouse and the service have different numbers of firms, highest keys first. Bisects
 * evenly spaced ranges. Each count takes one request. Does not find differences that cancel out within a range, or
 * firms that differ only in their fields.
 */
export async function unequalRanges(reader: FirmComparer): Promise<KeyRange[]> {
  const keys = await sampleKeys(reader.warehouse.db)
  const ranges: KeyRange[] = []
  const countAt = async (place: number): Promise<Counted> => {
    const key = keys[place] ?? null
    return { theirs: await countTheirs(reader, key), ours: await countOurs(reader, key) }
  }
  let [low, atLow] = [-1, { theirs: 0, ours: 0 }]
  for (let cell = 1; cell <= GRID; cell += 1) {
    const high = Math.floor((cell * keys.length) / GRID)
    if (high <= low) continue
    const atHigh = await countAt(high)
    await halve(low, high, atLow, atHigh)
    low = high
    atLow = atHigh
  }
  return ranges.toReversed()

  /** Bisects the range between two sample keys if its counts differ. */
  async function halve(low: number, high: number, atLow: Counted, atHigh: Counted): Promise<void> {
    if (atHigh.theirs - atLow.theirs === atHigh.ours - atLow.ours) return
    if (high - low <= 1) {
      ranges.push({ floor: keys[low] ?? null, below: keys[high] ?? null })
      return
    }
    const middle = (low + high) >> 1
    const at = await countAt(middle)
    await halve(low, middle, atLow, at)
    await halve(middle, high, at, atHigh)
  }
}

/** Number of ranges to start with. A missing and an extra firm cancel out if they are in the same range. */
const GRID = 32

interface Counted {
  theirs: number
  ours: number
}

async function countTheirs(reader: FirmReader, below: string | null): Promise<number> {
  const { total_count } = await queryFirms(reader, pageBelow(below, ['sec_number'], 1))
  return total_count ?? Number.NaN
}

async function countOurs({ warehouse }: FirmComparer, below: string | null): Promise<number> {
  const { rows } = await sql<{ firms: number }>`
    select count(*)::integer as firms from warehouse.firm where gone_at is null and (${below}::text is null or sec_number < ${below})
  `.execute(warehouse.db)
  return rows[0]?.firms ?? 0
}

const pageBelow = (below: string | null, fields: readonly string[], limit: number): FirmQuery => ({
  select: [...fields],
  order: 'sec_number.desc',
  limit,
  ...(below !== null && { filters: { sec_number: `lt.${below}` } }),
})

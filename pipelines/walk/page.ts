import { AppError } from '../../src/lib/errors.ts'
import type { KeyOrder } from './key-order.ts'
import { ordersKept } from './key-order.ts'

/** A record, and its key as far as it has one. */
export interface Keyed {
  key: string | undefined
}

/** One page as the host sent it, the highest key first. */
export interface Page<Row extends Keyed = Keyed> {
  records: Row[]
  /** Records that match the filter, this page's included. Undefined when the host does not say. */
  total: number | undefined
  /** Day of the newest data, where the host says so. */
  asOf?: string | undefined
}

/** Keys of the records that have one, in the page's order. */
export const keysOf = (page: Page): string[] => page.records.flatMap(({ key }) => (key === undefined ? [] : [key]))

/** What is wrong with a page that a second look may put right; undefined when nothing is. */
export function suspicion(page: Page, below: string | null): string | undefined {
  if (below !== null && keysOf(page).includes(below)) return 'the service sent the same page again'
  if (page.records.length === 0 && (page.total ?? 0) > 0)
    return `the service sent an empty page, though it counts ${page.total} records`
  return undefined
}

/** The orders among `orders` that the page keeps, from the key it was to be below of. Throws when it keeps none. */
export function pageOrders(page: Page, below: string | null, orders: readonly KeyOrder[]): KeyOrder[] {
  const keys = keysOf(page)
  const kept = ordersKept(below === null ? keys : [below, ...keys], orders)
  if (kept.length > 0) return kept
  const asked = below === null ? 'the first page' : `the page below ${below}`
  throw new AppError(
    'upstream_failed',
    `The keys of ${asked} do not strictly descend (${keys.slice(0, 3).join(', ')}, ...): the service does not keep the order that was asked for, and paging by it would lose rows. What was taken in stays.`,
  )
}

/**
 * Is this the last page? A page that is merely short is not: a host may send fewer rows than were asked for.
 */
export function isLastPage(page: Page, limit: number): boolean {
  if (page.records.length === 0) return true
  return page.records.length < limit && page.total !== undefined && page.total <= page.records.length
}

import { AppError } from '../../src/lib/errors.ts'
import type { KeyOrder } from './key-order.ts'
import { ordersKept } from './key-order.ts'

/** A record with its key. The key is undefined if the record has no usable key. */
export interface Keyed {
  key: string | undefined
}

/** One page as received from the service, highest key first. */
export interface Page<Row extends Keyed = Keyed> {
  records: Row[]
  /** Number of records that match the filter, including the records on this page. */
  total: number | undefined
  /** Date of the newest data, if reported by the service. */
  asOf?: string | undefined
  /** Identifies the state of the service's data and how it is read. Undefined if the service reports no version. */
  version?: string | undefined
}

/** The keys on the page, in order. Skips records without a usable key. */
export const keysOf = (page: Page): string[] => page.records.flatMap(({ key }) => (key === undefined ? [] : [key]))

/** Describes a page error that a retry may fix. Undefined if the page has no such error. */
export function pageProblem(page: Page, below: string | null): string | undefined {
  if (below !== null && keysOf(page).includes(below)) return 'the service returned the same page again'
  if (page.records.length === 0 && (page.total ?? 0) > 0)
    return `the service returned an empty page but counts ${page.total} records`
  return undefined
}

/**
 * Returns the given orders in which the page's keys descend from `below`. Throws `upstream_failed` if the keys do not
 * descend in any of the orders.
 */
export function pageOrders(page: Page, below: string | null, orders: readonly KeyOrder[]): KeyOrder[] {
  const keys = keysOf(page)
  const kept = ordersKept(below === null ? keys : [below, ...keys], orders)
  if (kept.length > 0) return kept
  const asked = below === null ? 'the first page' : `the page below ${below}`
  throw new AppError(
    'upstream_failed',
    `The keys of ${asked} do not strictly descend (${keys.slice(0, 3).join(', ')}, ...). The service ignores the requested order, so further pages would miss rows. Rows already written are kept.`,
  )
}

/**
 * Whether a page is the last page. A short page does not prove this, because a service may return fewer rows than
 * requested.
 */
export function isLastPage(page: Page, limit: number): boolean {
  if (page.records.length === 0) return true
  return page.records.length < limit && page.total !== undefined && page.total <= page.records.length
}

import { AppError } from '../../src/lib/errors.ts'
import type { AnyCompanies } from '../host/replies.ts'
import { isRaw } from './read-row.ts'

export type FetchList = (query: { limit?: number; offset?: number }) => Promise<AnyCompanies>

/** Passes a reply on. Returns whether it had new entries. */
export type TakeReply = (page: AnyCompanies) => Promise<boolean>

/** Tried in order: the interface defines no limit for the list, and a host may reject a large one. */
const LIMITS = [1000, 200, 50, undefined] as const
/** Without `offset`, one reply must hold the list; the limit is doubled up to this number. */
const MAX_UNPAGED = 1_024_000

/** The result of one pull of the list. */
export interface ListWalk {
  /** Whether the host honors `offset`. Only then can a repeated pull have another result. */
  isPaged: boolean
  /** The total that all replies agree on; undefined without one. */
  total: number | undefined
  /** Why completeness is not proved, apart from a wrong total. */
  incomplete_reasons: string[]
}

/**
 * Pulls all entries of a list whose paging the interface does not define. The first page tells little: a short page may be
 * the whole list, or one page of a host that clamps the limit. So the host's paging is detected by a probe at the end of
 * the first page, unless its own limit and total show that the page is complete.
 */
export async function walkList(fetch: FetchList, take: TakeReply): Promise<ListWalk> {
  const totals = new Totals()
  const read: FetchList = async (query) => totals.add(await fetch(query))
  const { first, limit } = await fetchFirst(read)
  await take(first)
  const received = first.companies.length
  if (received === 0 || isWhole(first))
    return { isPaged: hasOffset(first), total: totals.value, incomplete_reasons: [] }
  const paging = hasOffset(first) ? 'offset' : await detectPaging(first, read)
  // The probe's total tells a list total from the size of a page.
  const incomplete_reasons =
    paging === 'offset'
      ? await walkPages(first, limit, read, take)
      : paging === 'limit'
        ? await growLimit(first, limit, totals, read, take)
        : []
  return { isPaged: paging === 'offset', total: totals.value, incomplete_reasons }
}

/** Collects the totals of all replies: a host may report the size of the page instead of the list's. */
class Totals {
  readonly #seen = new Set<number | undefined>()

  add(page: AnyCompanies): AnyCompanies {
    this.#seen.add(typeof page.total === 'number' ? page.total : undefined)
    return page
  }

  get value(): number | undefined {
    const [only] = this.#seen
    return this.#seen.size === 1 ? only : undefined
  }
}

async function fetchFirst(fetch: FetchList): Promise<{ first: AnyCompanies; limit: number }> {
  for (const limit of LIMITS) {
    const first = await fetch(limit === undefined ? {} : { limit, offset: 0 }).catch((error: unknown) => {
      if (limit !== undefined && isRejection(error)) return undefined
      throw error
    })
    if (first) return { first, limit: limit ?? first.companies.length }
  }
  throw new Error('unreachable: the request without a limit succeeds or throws')
}

const isRejection = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'invalid_request' || error.code === 'unprocessable')

const hasOffset = (page: AnyCompanies): boolean => typeof page.offset === 'number'

/** Whether the reply holds the whole list by its own account: it is shorter than its limit and as long as its total. */
const isWhole = ({ companies, limit, total }: AnyCompanies): boolean =>
  typeof limit === 'number' && companies.length < limit && total === companies.length

/** Requests two entries from the last one on. The reply shows whether the host honors the offset, the limit, or neither. */
async function detectPaging(first: AnyCompanies, fetch: FetchList): Promise<'offset' | 'limit' | 'none'> {
  const received = first.companies.length
  const isShort = received <= 2
  const probe = await fetch(isShort ? { limit: 1, offset: received } : { limit: 2, offset: received - 1 })
  const [entry] = probe.companies
  const starts = (at: number): boolean => entry !== undefined && domainOf(entry) === domainOf(first.companies[at])
  if (isShort ? !starts(0) : starts(received - 1)) return 'offset'
  return probe.companies.length >= received ? 'none' : 'limit'
}

/**
 * Pulls the list page by page until a page holds nothing but the overlap. Each page overlaps the previous one by one entry.
 * If that entry differs, the list has shifted and an entry may have been skipped. A matching total would not show it,
 * because members that left are counted too.
 */
async function walkPages(first: AnyCompanies, limit: number, fetch: FetchList, take: TakeReply): Promise<string[]> {
  let page = first
  let offset = 0
  let hasMoved = false
  while (!isLast(page, offset)) {
    const last = page.companies.at(-1)
    offset += page.companies.length - 1
    page = await fetch({ limit, offset })
    hasMoved ||= domainOf(page.companies[0]) !== domainOf(last)
    if (page.companies.length <= 1) break
    if (!(await take(page)))
      return [`the page of the list at offset ${offset} has no new entries: the service repeats the same page`]
  }
  return hasMoved ? ['the list changed during the pull'] : []
}

/** A short page ends the list only by the service's own limit and total: the service may have clamped the requested limit. */
function isLast({ companies, limit, total }: AnyCompanies, offset: number): boolean {
  return typeof limit === 'number' && companies.length < limit && total === offset + companies.length
}

/** Doubles the limit until the reply is shorter than it. Only a total proves that the host does not clamp the limit. */
async function growLimit(
  first: AnyCompanies,
  limit: number,
  totals: Totals,
  fetch: FetchList,
  take: TakeReply,
): Promise<string[]> {
  let reply = first
  for (let asked = limit; reply.companies.length >= asked && asked < MAX_UNPAGED; asked *= 2) {
    const longer = await fetch({ limit: asked * 2 })
    if (longer.companies.length <= reply.companies.length) break
    await take(longer)
    reply = longer
  }
  if (totals.value !== undefined) return []
  return [
    `the service returned ${reply.companies.length} members without an offset or a total, so there may be more: no member was marked as gone`,
  ]
}

export const domainOf = (entry: unknown): unknown => (isRaw(entry) ? entry['domain'] : undefined)

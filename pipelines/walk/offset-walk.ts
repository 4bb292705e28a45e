import { isRejectedRequest } from '../host/app-error.ts'
import type { TotalKind } from '../host-profile/profile.ts'
import { ReplyTotals } from './reply-totals.ts'

/**
 * A page as the host sent it. The response's `limit` and `offset` are ignored, because some hosts only echo the
 * request.
 */
export interface OffsetPage {
  items: readonly unknown[]
  total: unknown
}

export type FetchPage = (query: { limit?: number; offset?: number }) => Promise<OffsetPage>

/** Processes a page. Returns whether the page had new items. */
export type TakePage = (page: OffsetPage) => Promise<boolean>

export interface OffsetWalkOptions {
  /** Limits to try in this order, because a host may reject a large limit. 0 means that no limit is sent. */
  limits: readonly number[]
  /** Whether the host's totals count all items or only the items on the page. Undefined if not known yet. */
  totals: TotalKind | undefined
  /** Returns an item's key, which is used to detect the overlap between two pages. */
  keyOf(item: unknown): unknown
  /** Name of the list in messages, such as `the list of people at acme.example`. */
  name: string
  nouns: string
}

/** The result of one pull. */
export interface OffsetWalk {
  /** Whether the host honors `offset`. If not, repeating the pull would not change the result. */
  isPaged: boolean
  /** Number of items received, not counting the overlap of pages. */
  received: number
  /** Total number of items, if the host reports it in every response. */
  total: number | undefined
  /** Why completeness could not be verified. The caller additionally compares the total with the number of items. */
  incomplete_reasons: string[]
  /** The limit that the host accepted. 0 means that none was sent. */
  limit: number
  totals: TotalKind | undefined
}

/** Maximum limit for a host that ignores `offset`, where one response must contain all items. */
const MAX_UNPAGED = 1_024_000

/**
 * Pulls all items of a list whose pagination the interface does not define. A short page may be the whole list, or the
 * host may have clamped the limit and reported the page size as the total. Another request therefore checks for more
 * items, unless the host's totals are known to be complete.
 */
export async function walkOffsets(fetch: FetchPage, take: TakePage, options: OffsetWalkOptions): Promise<OffsetWalk> {
  const pages = new ReplyTotals(options.totals)
  const read: FetchPage = async (query) => {
    const page = await fetch(query)
    pages.add(page.items.length, page.total)
    return page
  }
  const { first, limit, asked } = await fetchFirst(read, options.limits)
  await take(first)
  const received = first.items.length
  const walk: OffsetWalk = {
    isPaged: true,
    received,
    total: pages.total,
    incomplete_reasons: [],
    limit,
    totals: undefined,
  }
  if (received > 0 && !(pages.totals === 'all' && pages.total === received)) {
    const { paging, probe } = await detectPaging(first, read, options)
    walk.isPaged = paging === 'offset'
    if (paging === 'offset') await walkPages({ walk, first, probe, asked, fetch: read, take, options })
    if (paging === 'limit') await growLimit({ walk, first, asked, fetch: read, take, options })
    if (paging !== 'offset' && pages.total === undefined && isLikelyCut(walk.received, paging))
      walk.incomplete_reasons.push(
        `the service returned ${walk.received} ${options.nouns} without an offset or a total, so there may be more`,
      )
  }
  return { ...walk, total: pages.total, totals: pages.totals }
}

async function fetchFirst(
  fetch: FetchPage,
  limits: readonly number[],
): Promise<{ first: OffsetPage; limit: number; asked: number }> {
  for (const limit of limits) {
    // Some hosts reject unknown parameters.
    for (const query of limit === 0 ? [{}] : [{ limit, offset: 0 }, { limit }]) {
      const first = await fetch(query).catch((error: unknown) => {
        if (limit !== 0 && isRejectedRequest(error)) return undefined
        throw error
      })
      if (first) return { first, limit, asked: limit || first.items.length }
    }
  }
  throw new Error('the last limit is 0, and its request succeeds or throws')
}

/**
 * Requests two items, starting with the last item of the first page. The response reveals whether the host honors the
 * offset, only the limit, or neither.
 */
async function detectPaging(
  first: OffsetPage,
  fetch: FetchPage,
  { keyOf }: OffsetWalkOptions,
): Promise<{ paging: 'offset' | 'limit' | 'none'; probe: OffsetPage }> {
  const received = first.items.length
  const isShort = received <= 2
  const probe = await fetch(isShort ? { limit: 1, offset: received } : { limit: 2, offset: received - 1 }).catch(
    (error: unknown) => {
      if (isRejectedRequest(error)) return undefined
      throw error
    },
  )
  if (!probe) return { paging: 'limit', probe: first }
  const [item] = probe.items
  const ignoresOffset = item !== undefined && keyOf(item) === keyOf(first.items[0])
  if (!ignoresOffset) return { paging: 'offset', probe }
  return { paging: !isShort && probe.items.length >= received ? 'none' : 'limit', probe }
}

interface Step {
  walk: OffsetWalk
  first: OffsetPage
  asked: number
  fetch: FetchPage
  take: TakePage
  options: OffsetWalkOptions
}

/**
 * Pulls pages until a page contains only the overlap. Each page overlaps the previous one by one item. If that item
 * differs, the list has shifted and an item may have been skipped. The total does not reveal the skipped item, because
 * the received items may include an item that was removed in the meantime.
 */
async function walkPages(step: Step & { probe: OffsetPage }): Promise<void> {
  const { walk, probe, fetch, take, asked, options } = step
  let last = step.first.items.at(-1)
  const overlaps = (page: OffsetPage): boolean => options.keyOf(page.items[0]) === options.keyOf(last)
  if (walk.received <= 2 ? probe.items.length === 0 : probe.items.length === 1 && overlaps(probe)) return
  let hasMoved = walk.received > 2 && !overlaps(probe)
  for (let offset = walk.received - 1; ; ) {
    const page = await fetch({ limit: asked, offset })
    hasMoved ||= !overlaps(page)
    if (page.items.length <= 1) break
    if (!(await take(page))) {
      walk.incomplete_reasons.push(
        `the page of ${options.name} at offset ${offset} has no new entries: the service repeats the same page`,
      )
      return
    }
    last = page.items.at(-1)
    offset += page.items.length - 1
    walk.received = offset + 1
  }
  if (hasMoved) walk.incomplete_reasons.push(`${options.name} changed during the pull`)
}

/** Doubles the limit until the response has fewer items than the limit. */
async function growLimit(step: Step): Promise<void> {
  const { walk, fetch, take } = step
  let reply = step.first
  for (let asked = step.asked; reply.items.length >= asked && asked < MAX_UNPAGED; asked *= 2) {
    const longer = await fetch({ limit: asked * 2 }).catch((error: unknown) => {
      if (isRejectedRequest(error)) return undefined
      throw error
    })
    if (!longer || longer.items.length <= reply.items.length) break
    await take(longer)
    reply = longer
  }
  walk.received = reply.items.length
}

/** Common page sizes. A response with exactly as many items as the limit may be truncated. */
const PAGE_SIZES = new Set([10, 20, 25, 50, 64, 100, 128, 150, 200, 250, 256, 500, 512, 1000, 1024, 2000, 5000, 10_000])
const isLikelyCut = (items: number, paging: 'limit' | 'none'): boolean =>
  PAGE_SIZES.has(items) && (paging === 'limit' || items >= 50)

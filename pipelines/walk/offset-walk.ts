import type { FetchPage, ListWalkOptions, Step, WalkPage } from './list-walk.ts'
import { undefinedIfRejected } from './list-walk.ts'

/** Maximum limit for a host that ignores `offset`, where one response must contain all items. */
const MAX_UNPAGED = 1_024_000

/**
 * Pulls all items in a list whose pagination the interface does not define. A short page may be the whole list, or the
 * host may have clamped the limit and reported the page size as the total. Another request therefore checks for more
 * items, unless the host's totals are known to be complete.
 */
export async function walkOffsets(step: Step): Promise<void> {
  const { walk, first, fetch, take, pages, options } = step
  await take(first, undefined)
  walk.received = first.items.length
  if (walk.received === 0 || (pages.totals === 'all' && pages.total === walk.received)) return
  const { paging, probe } = await detectPaging(first, fetch, options)
  walk.isPaged = paging === 'offset'
  if (paging === 'offset') await walkPages({ ...step, probe })
  if (paging === 'limit') await growLimit(step)
  if (paging !== 'offset' && pages.total === undefined && isLikelyCut(walk.received, paging))
    walk.incomplete_reasons.push(
      `the service returned ${walk.received} ${options.nouns} without an offset or a total, so there may be more`,
    )
}

/**
 * Requests two items, starting with the last item of the first page. The response reveals whether the host honors the
 * offset, only the limit, or neither.
 */
async function detectPaging(
  first: WalkPage,
  fetch: FetchPage,
  { keyOf }: ListWalkOptions,
): Promise<{ paging: 'offset' | 'limit' | 'none'; probe: WalkPage }> {
  const received = first.items.length
  const isShort = received <= 2
  const probe = await fetch(isShort ? { limit: 1, offset: received } : { limit: 2, offset: received - 1 }).catch(
    undefinedIfRejected,
  )
  if (!probe) return { paging: 'limit', probe: first }
  const [item] = probe.items
  const ignoresOffset = item !== undefined && keyOf(item) === keyOf(first.items[0])
  if (!ignoresOffset) return { paging: 'offset', probe }
  return { paging: !isShort && probe.items.length >= received ? 'none' : 'limit', probe }
}

/**
 * Pulls pages until a page contains only the overlap. Each page overlaps the previous one by one item. If that item
 * differs, the list has shifted and an item may have been skipped. The total does not reveal the skipped item, because
 * the received items may include an item that was removed in the meantime.
 */
async function walkPages(step: Step & { probe: WalkPage }): Promise<void> {
  const { walk, probe, fetch, take, asked, options } = step
  let last = step.first.items.at(-1)
  const overlaps = (page: WalkPage): boolean => options.keyOf(page.items[0]) === options.keyOf(last)
  if (walk.received <= 2 ? probe.items.length === 0 : probe.items.length === 1 && overlaps(probe)) return
  let hasMoved = walk.received > 2 && !overlaps(probe)
  for (let offset = walk.received - 1; ; ) {
    const page = await fetch({ limit: asked, offset })
    hasMoved ||= !overlaps(page)
    if (page.items.length <= 1) break
    if (!(await take(page, undefined))) {
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
    const longer = await fetch({ limit: asked * 2 }).catch(undefinedIfRejected)
    if (!longer || longer.items.length <= reply.items.length) break
    await take(longer, undefined)
    reply = longer
  }
  walk.received = reply.items.length
}

/** Common page sizes. A response with exactly as many items as the limit may be truncated. */
const PAGE_SIZES = new Set([10, 20, 25, 50, 64, 100, 128, 150, 200, 250, 256, 500, 512, 1000, 1024, 2000, 5000, 10_000])
const isLikelyCut = (items: number, paging: 'limit' | 'none'): boolean =>
  PAGE_SIZES.has(items) && (paging === 'limit' || items >= 50)

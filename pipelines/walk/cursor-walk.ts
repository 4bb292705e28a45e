import type { Step } from './list-walk.ts'

/**
 * Follows the cursor to the last page. A change in the total reveals items that were added before the cursor. If a host
 * encodes an offset in its cursor, an item can be skipped although the total does not change.
 */
export async function walkCursors({ walk, first, fetch, take, pages, options }: Step): Promise<void> {
  const { limit } = walk
  for (let page = first; ; ) {
    const { next: cursor, items } = page
    walk.received += items.length
    const next = cursor === undefined ? undefined : { cursor, limit, received: walk.received, replies: pages.counts }
    const hasNew = await take(page, next)
    // Some hosts return an empty page after the last full page.
    if (cursor === undefined || items.length === 0) break
    if (!hasNew) {
      walk.incomplete_reasons.push(
        `a page of ${options.name} after ${walk.received} entries has no new entries: the service repeats the same page`,
      )
      return
    }
    page = await fetch({ ...(limit > 0 && { limit }), cursor })
  }
  if (pages.hasChanged) walk.incomplete_reasons.push(`${options.name} changed during the pull`)
  walk.mayMissItems = true
}

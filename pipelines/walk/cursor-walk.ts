import type { Step } from './list-walk.ts'

/**
 * Follows the cursor to the last page. Pages do not shift, so every item that is present throughout the pull is
 * received. A change in the total reveals items that were added before the cursor.
 */
export async function walkCursors({ walk, first, fetch, take, pages, options }: Step): Promise<void> {
  const { limit } = walk
  for (let page = first; ; ) {
    const { next: cursor, items } = page
    walk.received += items.length
    const next = cursor === undefined ? undefined : { cursor, limit, received: walk.received, replies: pages.counts }
    const hasNew = await take(page, next)
    if (cursor === undefined) break
    if (!hasNew) {
      walk.incomplete_reasons.push(
        `a page of ${options.name} after ${walk.received} entries has no new entries: the service repeats the same page`,
      )
      return
    }
    page = await fetch({ ...(limit > 0 && { limit }), cursor })
  }
  if (pages.hasChanged) walk.incomplete_reasons.push(`${options.name} changed during the pull`)
  walk.mayMissAdditions = options.from !== undefined || pages.total === undefined
}

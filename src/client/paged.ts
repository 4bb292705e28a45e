/**
 * The first page as a promise, and the items of all pages as an async iterator. Iteration starts with the first page
 * and requests further pages on demand.
 */
export type Paged<Page, Item> = Promise<Page> & AsyncIterable<Item>

interface Paging<Page, Item, Position> {
  /** Requests a page. `position` is undefined for the first page. */
  fetch(position: Position | undefined): Promise<Page>
  items(page: Page): readonly Item[]
  /** The next position; undefined after the last page. */
  next(page: Page, position: Position | undefined): Position | undefined
}

export function paged<Page, Item, Position>(paging: Paging<Page, Item, Position>): Paged<Page, Item> {
  const first = paging.fetch(undefined)
  return Object.assign(first, {
    async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
      let position: Position | undefined
      for (let page = await first; ; page = await paging.fetch(position)) {
        yield* paging.items(page)
        position = paging.next(page, position)
        if (position === undefined) return
      }
    },
  })
}

interface OffsetPage {
  limit: number
}

/** Returns the offset of the next page; undefined after a page that is empty or shorter than its limit. */
const offsetAfter = ({ limit }: OffsetPage, received: number, offset: number): number | undefined =>
  received === 0 || received < limit ? undefined : offset + received

interface CursorPage extends OffsetPage {
  next_cursor?: string
}

interface ListPosition {
  offset?: number | undefined
  cursor?: string | undefined
}

/**
 * A list whose pages have a `next_cursor` in the default order. Iteration follows the cursor, so changes to the list do
 * not shift pages. Without a cursor, the iteration continues by offset.
 */
export function pagedByCursor<Page extends CursorPage, Item>(
  start: ListPosition,
  fetch: (position: ListPosition) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): Paged<Page, Item> {
  return paged<Page, Item, ListPosition>({
    fetch: (position = start) => fetch(position),
    items,
    next: (page, { cursor, offset = 0 } = start) => {
      if (page.next_cursor !== undefined) return { cursor: page.next_cursor }
      const next = cursor === undefined ? offsetAfter(page, items(page).length, offset) : undefined
      return next === undefined ? undefined : { offset: next }
    },
  })
}

/**
 * A list with `limit` and `offset`. Iteration ends at a page shorter than its limit, because totals are estimates for
 * large lists. If records are added or removed during the iteration, pages shift, so items may be repeated or skipped.
 */
export function pagedByOffset<Page extends OffsetPage, Item>(
  start: number | undefined,
  fetch: (offset: number | undefined) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): Paged<Page, Item> {
  return paged<Page, Item, number>({
    fetch: (offset) => fetch(offset ?? start),
    items,
    next: (page, offset = start ?? 0) => offsetAfter(page, items(page).length, offset),
  })
}

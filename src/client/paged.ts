/**
 * The first page as a promise, and all items of all pages as an async iterator. Iteration starts with the page of the promise and
 * requests further pages as they are needed.
 */
export type Paged<Page, Item> = Promise<Page> & AsyncIterable<Item>

interface Paging<Page, Item, Position> {
  /** Requests a page; undefined for the first. */
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

/**
 * A list with `limit` and `offset`. A page shorter than its limit is the last one; totals are estimates for large lists. Records
 * added or removed during the iteration shift the pages: one may be seen twice or not at all.
 */
export function pagedByOffset<Page extends OffsetPage, Item>(
  start: number | undefined,
  fetch: (offset: number | undefined) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): Paged<Page, Item> {
  return paged<Page, Item, number>({
    fetch: (offset) => fetch(offset ?? start),
    items,
    next: (page, offset = start ?? 0) => {
      const received = items(page).length
      return received === 0 || received < page.limit ? undefined : offset + received
    },
  })
}

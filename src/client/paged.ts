/**
 * The first page as a promise, and the items of all pages as an async iterator. Iteration starts with the first page
 * and requests further pages on demand.
 */
export type Paged<Page, Item> = Promise<Page> & AsyncIterable<Item>

interface Paging<Page, Item, Position> {
  /** Requests a page. The position of the first page is undefined. */
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
    next: (page, offset = start ?? 0) => {
      const received = items(page).length
      return received === 0 || received < page.limit ? undefined : offset + received
    },
  })
}

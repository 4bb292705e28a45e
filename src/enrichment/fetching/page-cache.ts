import { LRUCache } from 'lru-cache'

/** A page as the server gave it, with what proves that it is still the same. */
export interface CachedPage {
  url: string
  etag: string | undefined
  lastModified: string | undefined
  contentType: string
  body: Buffer
}

/** What a page weighs beside its body: its address, its headers, its place in the cache. */
const OVERHEAD = 1000

/** The pages fetched last, for conditional requests, up to a number of bytes. The one unused for longest goes first. */
export class PageCache {
  readonly #pages: LRUCache<string, CachedPage>

  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      // One page must not push out all others.
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 4)),
      sizeCalculation: ({ body }) => body.length + OVERHEAD,
    })
  }

  get(url: string): CachedPage | undefined {
    return this.#pages.get(url)
  }

  /** Keeps a page that can be asked for conditionally. */
  set(page: CachedPage): void {
    if (page.etag || page.lastModified) this.#pages.set(page.url, page)
    else this.#pages.delete(page.url)
  }

  get bytes(): number {
    return this.#pages.calculatedSize
  }
}

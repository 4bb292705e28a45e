import { LRUCache } from 'lru-cache'

/** A cached response with its validators (ETag and Last-Modified). */
export interface CachedPage {
  url: string
  etag: string | undefined
  lastModified: string | undefined
  contentType: string
  body: Buffer
}

/** Estimated bytes of an entry without its body: URL, headers and cache bookkeeping. */
const OVERHEAD = 1000

/** An LRU cache of pages for conditional requests, limited in bytes. */
export class PageCache {
  readonly #pages: LRUCache<string, CachedPage>

  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      // A single page must not evict all other pages.
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 4)),
      sizeCalculation: ({ body }) => body.length + OVERHEAD,
    })
  }

  get(url: string): CachedPage | undefined {
    return this.#pages.get(url)
  }

  /** Stores a page if it has a validator, and otherwise removes the cached version. */
  set(page: CachedPage): void {
    if (page.etag || page.lastModified) this.#pages.set(page.url, page)
    else this.#pages.delete(page.url)
  }

  get bytes(): number {
    return this.#pages.calculatedSize
  }
}

/** A page as the server gave it, with what proves that it is still the same. */
export interface CachedPage {
  url: string
  etag: string | undefined
  lastModified: string | undefined
  contentType: string
  body: Buffer
}

/** The pages fetched last, for conditional requests, up to a number of bytes. The one unused for longest goes first. */
export class ValidatorCache {
  readonly #maxBytes: number
  readonly #pages = new Map<string, CachedPage>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(url: string): CachedPage | undefined {
    const page = this.#pages.get(url)
    if (!page) return undefined
    this.#pages.delete(url)
    this.#pages.set(url, page)
    return page
  }

  /** Keeps a page that can be asked for conditionally; others, and those that would fill the cache alone, it does not. */
  set(page: CachedPage): void {
    this.#remove(page.url)
    if (!(page.etag || page.lastModified) || page.body.length > this.#maxBytes / 4) return
    this.#pages.set(page.url, page)
    this.#bytes += page.body.length
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#remove(oldest)
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  #remove(url: string): void {
    this.#bytes -= this.#pages.get(url)?.body.length ?? 0
    this.#pages.delete(url)
  }
}

/** What came of one address. Not found and not reachable are outcomes here, not exceptions. */
export type Fetched = FetchedPage | NotFetched

/** A page as it came. Plain data: it can be handed to another process. */
export interface PageBytes {
  /** Where it was found, after redirects. */
  url: string
  /** The character set that the server names; empty when it names none. */
  charset: string
  body: Uint8Array
}

export interface FetchedPage extends PageBytes {
  outcome: 'page'
  /** Media type without parameters, lower case; empty when the server does not say. */
  contentType: string
  body: Buffer
  /** The body in the character set that it declares or shows. */
  text(): string
}

export interface NotFetched {
  /**
   * `missing`: the server says that there is no such page. `refused`: it, robots.txt or our own rules forbid it, and asking again
   * will not help. `unavailable`: it may answer later.
   */
  outcome: 'missing' | 'refused' | 'unavailable'
  url: string
  /** In words for a person. */
  reason: string
  /** No HTTP was spoken: the same host may answer by another scheme or name. */
  unconnected?: boolean
  /** Seconds that the server asked to wait. */
  retryAfter?: number
}

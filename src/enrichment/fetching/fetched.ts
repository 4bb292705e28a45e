/** The outcome of fetching one URL. Failures are outcomes, not exceptions. */
export type Fetched = FetchedPage | NotFetched

/** A page as received: plain data that can be sent to another process. */
export interface PageBytes {
  /** After redirects. */
  url: string
  /** From the Content-Type header; empty when it has none. */
  charset: string
  body: Uint8Array
}

export interface FetchedPage extends PageBytes {
  outcome: 'page'
  /** Media type without parameters, lower case; empty when the server sends none. */
  contentType: string
  body: Buffer
  /** The decoded body. */
  text(): string
}

export interface NotFetched {
  /**
   * `missing`: the page does not exist. `refused`: the server, robots.txt or our own rules forbid it; retrying does not help.
   * `unavailable`: a later attempt may succeed.
   */
  outcome: 'missing' | 'refused' | 'unavailable'
  url: string
  /** Human-readable. */
  reason: string
  /** The connection failed before any HTTP: another scheme or host name may work. */
  unconnected?: boolean
  /** Retry-After, in seconds. */
  retryAfter?: number
}

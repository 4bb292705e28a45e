/** The outcome of fetching one URL. Failures are outcomes, not exceptions. */
export type Fetched = FetchedPage | NotFetched

/** A page as received. Plain data, so that it can be sent to another process. */
export interface PageBytes {
  /** The URL after redirects. */
  url: string
  /** The charset of the Content-Type header; empty if it has none. */
  charset: string
  body: Uint8Array
}

export interface FetchedPage extends PageBytes {
  outcome: 'page'
  /** The media type in lower case, without parameters; empty if the server sends none. */
  contentType: string
  body: Buffer
  /** The decoded body. */
  text(): string
}

export interface NotFetched {
  /**
   * `missing`: the page does not exist. `refused`: the server, robots.txt or a talhouse rule forbids it, and retrying
   * does not help. `unavailable`: a later attempt may succeed.
   */
  outcome: 'missing' | 'refused' | 'unavailable'
  url: string
  /** Human-readable. */
  reason: string
  /** The connection failed before any HTTP was exchanged, so another scheme or host name may work. */
  unconnected?: boolean
  /** Retry-After, in seconds. */
  retryAfter?: number
}

/** The outcome of fetching one URL. Failures are outcomes, not exceptions. */
export type Fetched = FetchedPage | NotFetched

/** A page as received. The page contains only plain data, so that it can be sent to another process. */
export interface PageBytes {
  /** The URL after redirects. */
  url: string
  /** The charset in the Content-Type header; empty if it specifies none. */
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
   * `missing`: the page does not exist. `refused`: the server, robots.txt or a talhouse rule forbids fetching the page,
   * so retrying does not help. `unavailable`: a later attempt may succeed.
   */
  outcome: 'missing' | 'refused' | 'unavailable'
  url: string
  /** Human-readable explanation. */
  reason: string
  /** Whether the connection failed before any HTTP data was exchanged. Another scheme or hostname may then work. */
  unconnected?: boolean
  /** The server's Retry-After time, in seconds. */
  retryAfter?: number
}

/** The subset of `fetch` that the client uses. The platform's `fetch` is assignable to this type. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchReply>

export interface FetchRequest {
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  signal: AbortSignal
  /** Redirect mode: always `manual`, because the API key must not be sent to another address. */
  redirect: 'manual'
}

export interface FetchReply {
  readonly status: number
  readonly headers: ReplyHeaders
  text(): Promise<string>
}

export interface ReplyHeaders {
  get(name: string): string | null
}

/** Limits concurrency or the request rate. The wait does not count toward the timeout. */
export interface Limiter {
  /**
   * Resolves when an attempt may start. Call the returned function when the attempt has ended. Rejects if `signal` is
   * aborted.
   */
  acquire(signal?: AbortSignal): Promise<() => void>
}

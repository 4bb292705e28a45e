/** The part of `fetch` used by the client. The platform's `fetch` has this type. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchReply>

export interface FetchRequest {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  /** Manual, because the API key must not be sent to another address. */
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

/** Limits concurrency or the request rate. The wait does not count towards the timeout. */
export interface Limiter {
  /**
   * Resolves when an attempt may start. Call the returned function when the attempt has ended. Rejects if `signal`
   * aborts.
   */
  acquire(signal?: AbortSignal): Promise<() => void>
}

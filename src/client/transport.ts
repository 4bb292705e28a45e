/** The part of `fetch` that the client uses; the platform's `fetch` has this type. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchReply>

export interface FetchRequest {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  /** The API key must not reach another address. */
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

/** Bounds concurrency or the request rate. The wait does not count towards the timeout. */
export interface Limiter {
  /** Resolves when an attempt may start; the returned function is called when it has ended. Rejects when `signal` aborts. */
  acquire(signal?: AbortSignal): Promise<() => void>
}

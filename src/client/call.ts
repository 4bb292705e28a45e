/** A request. */
export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path and query below the base URL: `/v2/companies?limit=50`. */
  path: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** Whether the request may be retried after a lost response. False for a paid request without an idempotency key. */
  repeatable: boolean
  signal?: AbortSignal | undefined
}

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Parsed JSON. */
  body: unknown
}

/**
 * Sends a request. Resolves with any complete response, including errors; rejects otherwise. All layers of the client have this type,
 * so that they compose.
 */
export type Send = (call: Call) => Promise<Reply>

/** The first value of a header; `name` in lower case. */
export function header(reply: Reply, name: string): string | undefined {
  const value = reply.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** `POST /firms`, for messages. Omits the query, which may contain personal data. */
export const callName = (call: Call): string => `${call.method} ${call.path.split('?')[0]}`

/** One request to the service, as every layer of the client sees it. */
export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the base address, with its query: `/v2/companies?limit=50`. */
  path: string
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** May it be sent again when nobody knows whether the first one arrived? A request that costs units may not, unless it has an idempotency key. */
  repeatable: boolean
  signal?: AbortSignal | undefined
}

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The parsed JSON. */
  body: unknown
}

/**
 * Sends a call and resolves with whatever the service answered, errors included; rejects when there was no whole answer.
 * Every layer has this shape, so that they stack, and a test hands in a function.
 */
export type Send = (call: Call) => Promise<Reply>

/** The first value of a header. Names are lower case. */
export function header(reply: Reply, name: string): string | undefined {
  const value = reply.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** `POST /firms`, for messages: the query of a path may hold names of people. */
export const callName = (call: Call): string => `${call.method} ${call.path.split('?')[0]}`

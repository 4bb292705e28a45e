import type { Problem } from '../../src/contract/problem.ts'

/** A failed request, with the problem, its solution, and the request ID for the log. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, { detail, code, request_id }: Partial<Problem>) {
    super(detail ?? `The service responded with status ${status}.`)
    this.status = status
    this.code = code ?? 'unknown'
    this.requestId = request_id
  }
}

/** The error to show for anything thrown, such as a failed connection. */
export const asRequestError = (error: unknown): RequestError =>
  error instanceof RequestError ? error : new RequestError(0, { detail: String(error) })

/** Called when a response shows that the session has ended. */
let onSignedOut: () => void = () => undefined
export const whenSignedOut = (callback: () => void): void => {
  onSignedOut = callback
}

export interface RequestOptions {
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
}

/** Sends a request with the session cookie. Throws `RequestError`. */
export async function request<Reply>(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
  const { body, signal, headers } = options
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }
  const response = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new RequestError(0, { detail: 'The service cannot be reached. Check that it is running, then try again.' })
  })
  const reply = (await response.json().catch(() => ({}))) as unknown
  if (response.ok) return reply as Reply
  if (response.status === 401) onSignedOut()
  throw new RequestError(response.status, reply as Problem)
}

export const get = <Reply>(path: string, signal?: AbortSignal): Promise<Reply> =>
  request('GET', path, signal ? { signal } : {})

/** Returns a path with a query string; empty values are omitted. */
export function withQuery(path: string, query: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `${path}?${text}` : path
}

import { ApiError } from '../../src/client/errors.ts'
import { createSend } from '../../src/client/send.ts'
import type { Problem } from '../../src/contract/problem.ts'

/** A failed request, with the problem, its solution, and the request ID for the log. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  readonly requestId: string | undefined

  constructor(status: number, detail: string, requestId?: string) {
    super(detail)
    this.status = status
    this.requestId = requestId
  }
}

/** The error to show for anything thrown, such as a failed connection. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  if (error instanceof ApiError) return new RequestError(error.status, error.detail, error.requestId)
  return new RequestError(0, 'The service cannot be reached. Check that it is running, then try again.')
}

/** Called when a response shows that the session has ended. */
let onSignedOut: () => void = () => undefined
export const whenSignedOut = (callback: () => void): void => {
  onSignedOut = callback
}

/** Sends requests with the session cookie, which authenticates them. Reads are tried twice. */
const send = createSend({
  baseUrl: location.origin,
  retry: { attempts: 2 },
  timeout: 6 * 60_000,
  onResponse: ({ status }) => {
    if (status === 401) onSignedOut()
  },
})

export interface RequestOptions {
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
}

/** Sends a request with the session cookie. Throws `RequestError`, or the reason of the aborted signal. */
export async function request<Reply>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, signal, headers = {} }: RequestOptions = {},
): Promise<Reply> {
  try {
    return await send<Reply>({ method, path, body, headers }, { signal })
  } catch (error) {
    if (signal?.aborted) throw error
    throw asRequestError(error)
  }
}

export const get = <Reply>(path: string, signal?: AbortSignal): Promise<Reply> =>
  request('GET', path, signal ? { signal } : {})

/** Saves the response to a POST request as a file. Throws `RequestError`. */
export async function download(path: string, body: unknown, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await sendFile(path, { method: 'POST', headers, body: JSON.stringify(body) })
  save(await response.blob(), name)
}

/** Sends a CSV file. Throws `RequestError`. */
export async function upload<Reply>(path: string, file: Blob): Promise<Reply> {
  const response = await sendFile(path, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: file })
  return (await response.json()) as Reply
}

/** Sends a request whose body or response is a file, which the client does not support. */
async function sendFile(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw asRequestError(error)
  })
  if (response.ok) return response
  if (response.status === 401) onSignedOut()
  const { detail, request_id } = (await response.json().catch(() => ({}))) as Partial<Problem>
  throw new RequestError(response.status, detail ?? `The service responded with status ${response.status}.`, request_id)
}

/** Saves data as a file on the user's computer. */
export function save(data: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(data)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Returns a path with a query string; empty values are omitted. */
export function withQuery(path: string, query: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `${path}?${text}` : path
}

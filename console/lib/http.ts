import { ApiError } from '../../src/client/errors.ts'
import type { ApiRequest } from '../../src/client/options.ts'
import { createSend } from '../../src/client/send.ts'

/** A failed request, with the problem, its solution, and the request ID for finding it in the log. */
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

/** Converts any thrown value, such as a connection error, to an error that can be shown. */
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

/** Sends requests authenticated by the session cookie. Retries a failed read once. */
const send = createSend({
  baseUrl: location.origin,
  retry: { attempts: 2 },
  timeout: 6 * 60_000,
  onResponse: ({ status }) => {
    if (status === 401) onSignedOut()
  },
})

export interface RequestOptions extends Pick<ApiRequest, 'body' | 'csv' | 'accept' | 'headers'> {
  signal?: AbortSignal
}

/** Sends a request with the session cookie. Throws `RequestError`, or the signal's abort reason. */
export async function request<Reply>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { signal, ...content }: RequestOptions = {},
): Promise<Reply> {
  try {
    return await send<Reply>({ method, path, ...content }, { signal })
  } catch (error) {
    if (signal?.aborted) throw error
    throw asRequestError(error)
  }
}

export const get = <Reply>(path: string, signal?: AbortSignal): Promise<Reply> =>
  request('GET', path, signal ? { signal } : {})

/** Saves the CSV response to a POST request as a file. Throws `RequestError`. */
export async function download(path: string, body: unknown, name: string): Promise<void> {
  const text = await request<string>('POST', path, { body, accept: 'csv' })
  save(new Blob([text], { type: 'text/csv' }), name)
}

/** Sends a CSV file. Throws `RequestError`. */
export const upload = async <Reply>(path: string, file: Blob): Promise<Reply> =>
  await request('POST', path, { csv: new Uint8Array(await file.arrayBuffer()) })

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

import { ApiError, ConnectionError } from './errors.ts'
import type { ResponseInfo } from './options.ts'

/** A complete response with its parsed body. */
export interface Reply extends ResponseInfo {
  body: unknown
}

/**
 * Parses a response. Throws ConnectionError if a successful response has a truncated body or an unexpected content
 * type. An error body that is not JSON, such as HTML from a proxy, becomes `detail`.
 */
export function parseReply(response: Omit<ResponseInfo, 'requestId'>, text: string, accept: string): Reply {
  const body = isSuccess(response.status) && accept === 'text/csv' ? csvOf(response, text) : parseBody(response, text)
  const inBody = isRecord(body) ? body['request_id'] : undefined
  const id = typeof inBody === 'string' ? inBody : response.headers.get('x-request-id')
  return { ...response, requestId: id ?? undefined, body }
}

function parseBody({ request, status }: Pick<ResponseInfo, 'request' | 'status'>, text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (!isSuccess(status)) return { detail: text.slice(0, 200) }
    throw new ConnectionError(`${request} returned ${status} with invalid JSON.`, { cause })
  }
}

/** Returns the text of a CSV response. Throws ConnectionError for another content type, such as HTML from a proxy. */
function csvOf({ request, status, headers }: Omit<ResponseInfo, 'requestId'>, text: string): string {
  const type = headers.get('content-type')
  if (type?.startsWith('text/csv')) return text
  throw new ConnectionError(`${request} returned ${status} with ${type ?? 'no content type'} instead of text/csv.`)
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** The milliseconds in `Retry-After` (seconds or a date); undefined if the header is absent or invalid. */
export function retryAfterOf({ headers }: Pick<ResponseInfo, 'headers'>, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

/** The error for an unsuccessful response. If `Retry-After` exceeds `maxRetryAfter`, the message includes the value. */
export function errorOf(reply: Reply, maxRetryAfter: number): ApiError {
  const { request, status, headers, requestId, body } = reply
  const wait = retryAfterOf(reply)
  const detail = detailOf(status, body)
  const asked = wait !== undefined && wait > maxRetryAfter ? `; Retry-After is ${Math.round(wait / 1000)} s` : ''
  const id = requestId === undefined ? '' : ` (request ${requestId})`
  return new ApiError(`${request} returned ${status}: ${detail}${asked}${id}`, {
    status,
    detail,
    code: isRecord(body) && typeof body['code'] === 'string' ? body['code'] : undefined,
    errors: issuesIn(body),
    requestId,
    retryAfter: wait === undefined ? undefined : Math.ceil(wait / 1000),
    headers,
  })
}

function detailOf(status: number, body: unknown): string {
  // Browsers hide the status of a redirect and report 0.
  if (status === 0 || (status >= 300 && status < 400)) return 'the service redirects; set baseUrl to the final address'
  const detail = isRecord(body) ? body['detail'] : undefined
  if (detail === undefined) return 'no reason given'
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

function issuesIn(body: unknown): ApiError['errors'] {
  const errors = isRecord(body) ? body['errors'] : undefined
  if (!Array.isArray(errors)) return []
  return errors.filter(isRecord).map((error) => ({ path: String(error['path']), message: String(error['message']) }))
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

import type { Problem } from '../contract/problem.ts'
import type { ReplyHeaders } from './transport.ts'

/** The base class of the client's errors. If a signal is aborted, its reason is thrown unchanged. */
export class TalhouseError extends Error {
  override name = 'TalhouseError'
}

/** The service responded with an error. */
export class ApiError extends TalhouseError {
  override readonly name = 'ApiError'
  readonly status: number
  /** The title of the status, such as `Insufficient units`. */
  readonly title: string
  /** The service's explanation of the error and how to fix it. */
  readonly detail: string
  /** The service's error code, such as `insufficient_units`. */
  readonly code: string | undefined
  /** Invalid values in a request that failed validation. */
  readonly errors: NonNullable<Problem['errors']>
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** The seconds in the `Retry-After` header. */
  readonly retryAfter: number | undefined
  readonly headers: ReplyHeaders

  constructor(message: string, { status, detail, code, errors, requestId, retryAfter, headers }: ErrorReply) {
    super(message)
    this.status = status
    this.title = TITLES[status] ?? (status >= 500 ? 'Service failure' : 'Unexpected status')
    this.detail = detail
    this.code = code
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.headers = headers
  }
}

export interface ErrorReply {
  status: number
  detail: string
  code: string | undefined
  errors: NonNullable<Problem['errors']>
  requestId: string | undefined
  retryAfter: number | undefined
  headers: ReplyHeaders
}

/** No complete response was received, because the connection failed or was interrupted, or the body is not JSON. */
export class ConnectionError extends TalhouseError {
  override name = 'ConnectionError'
}

/** The response did not arrive, or the task did not end, within the timeout. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Missing or invalid API key',
  402: 'Insufficient units',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Body too large',
  414: 'Path too long',
  415: 'Unsupported media type',
  422: 'Validation failed',
  429: 'Rate limit exceeded',
  500: 'Internal error',
  503: 'Service unavailable',
}

import type { Problem } from '../contract/problem.ts'
import type { AppError, ErrorCode, Issue } from '../lib/errors.ts'

/** Failures that only HTTP knows: the domain never names one. */
export type HttpErrorCode =
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'internal'

/** The status of every failure. The compiler proves that none was forgotten. */
export const STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  insufficient_units: 402,
  trial_expired: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  unprocessable: 422,
  bad_input: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  configuration: 500,
  incomplete: 500,
  upstream_failed: 502,
  unavailable: 503,
  interrupted: 503,
} as const satisfies Record<ErrorCode | HttpErrorCode, number>

export type ProblemCode = keyof typeof STATUS

/** A failure that arises in HTTP itself: no route, a wrong method, a body that is too large. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: ProblemCode
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }
}

/** More would only repeat themselves, and make a small bad request a large reply. */
const MAX_ISSUES = 20

/** The one shape of an error reply. */
export function problem(code: ProblemCode, detail: string, requestId: string, issues?: readonly Issue[]): Problem {
  const told = issues?.slice(0, MAX_ISSUES)
  return { detail, code, request_id: requestId, ...(told && told.length > 0 && { errors: told }) }
}

/** What an AppError adds to the reply's headers: how long to wait, where that is known or usual. */
export function waitHeaders(error: AppError): Record<string, string> {
  const seconds = error.retryAfter ?? (STATUS[error.code] === 503 ? 5 : undefined)
  return seconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}

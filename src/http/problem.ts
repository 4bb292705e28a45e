import type { Problem } from '../contract/problem.ts'
import type { AppError, ErrorCode, Issue } from '../lib/errors.ts'

/** HTTP-level error codes, which domain code never uses. */
export type HttpErrorCode =
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'internal'

/** The HTTP status for every error code. The compiler checks that all codes are listed. */
export const STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  insufficient_units: 402,
  trial_expired: 403,
  missing_scope: 403,
  cross_site: 403,
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

/** An error raised by the HTTP layer, such as an unknown route or an oversized body. */
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

/** Maximum number of errors in a response, so that a small invalid request cannot cause a large response. */
const MAX_ISSUES = 20

/** Builds the error body. */
export function problem(code: ProblemCode, detail: string, requestId: string, issues?: readonly Issue[]): Problem {
  const listed = issues?.slice(0, MAX_ISSUES)
  return { detail, code, request_id: requestId, ...(listed && listed.length > 0 && { errors: listed }) }
}

/** Returns the Retry-After header of an error. The default for a 503 is 5 seconds. */
export function waitHeaders(error: AppError): Record<string, string> {
  const seconds = error.retryAfter ?? (STATUS[error.code] === 503 ? 5 : undefined)
  return seconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}

import { ApiError, ConnectionError, TalhouseError } from '../../src/client/errors.ts'
import type { ErrorCode } from '../../src/lib/errors.ts'
import { AppError } from '../../src/lib/errors.ts'

const CODES: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  402: 'insufficient_units',
  403: 'trial_expired',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  422: 'unprocessable',
  429: 'rate_limited',
}

const SETTINGS = 'Set TALHOUSE_SERVICE_BASE_URL and TALHOUSE_SERVICE_API_KEY.'

const NEW_KEY =
  'Set TALHOUSE_SERVICE_API_KEY to a valid key. If it is not set, delete pipelines.key in data_dir, so that a new key is created. Then restart talhouse.'

/** Whether the service rejected the request's parameters or body. */
export const isRejectedRequest = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'invalid_request' || error.code === 'unprocessable')

/** Whether the service no longer knows the requested resource, such as an expired cursor. */
export const isNotFound = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found'

/**
 * Whether the service refused the request permanently. Hosts without an extension respond to its requests with one of
 * several statuses, such as 403, 404, 405, 422 or 501.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof AppError &&
  error.cause instanceof ApiError &&
  (error.cause.status === 501 || (error.cause.status < 500 && error.cause.status !== 429))

/** Converts an API client error to an AppError with a code. Returns other errors unchanged. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof TalhouseError)) return error
  const { message } = error
  if (error instanceof ConnectionError)
    return new AppError('upstream_failed', message, { cause: error, retryable: true })
  if (!(error instanceof ApiError)) return new AppError('configuration', `${message} ${SETTINGS}`, { cause: error })
  const { status, retryAfter, errors } = error
  return new AppError(CODES[status] ?? 'upstream_failed', status === 401 ? `${message} ${NEW_KEY}` : message, {
    cause: error,
    retryable: status === 429 || status >= 500,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(errors.length > 0 && { issues: errors }),
  })
}

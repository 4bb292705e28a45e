import { AppError, messageOf, systemCode } from '../../lib/errors.ts'
import { retryAfterSeconds } from '../../lib/retry-after.ts'
import type { NotFetched } from './fetched.ts'
import { BodyTooLarge, UnknownEncoding } from './read-body.ts'
import type { FetchingSettings } from './settings.ts'

/** Maps an exception thrown by an exchange to an outcome. */
export function outcomeOfFailure(url: string, error: unknown, { timeout_seconds }: FetchingSettings): NotFetched {
  if (error instanceof BodyTooLarge || error instanceof UnknownEncoding)
    return { outcome: 'refused', url, reason: `the page is ${error.message}` }
  // DNS confirmed that the hostname does not exist.
  if (systemCode(error) === 'ENOTFOUND') return { outcome: 'missing', url, reason: messageOf(error) }
  if (error instanceof AppError)
    return { outcome: error.code === 'unprocessable' ? 'refused' : 'unavailable', url, reason: error.message }
  if (isWrongCertificate(error))
    return {
      outcome: 'refused',
      url,
      unconnected: true,
      reason: `the site's certificate is not valid: ${messageOf(error)}`,
    }
  if (isTimeout(error))
    return { outcome: 'unavailable', url, reason: `no complete response within ${timeout_seconds} s` }
  return {
    outcome: 'unavailable',
    url,
    unconnected: isUnconnected(error),
    reason: `the site cannot be reached: ${systemCode(error) ?? messageOf(error)}`,
  }
}

/** Maps a status other than 200 to an outcome. */
export function outcomeOfStatus(url: string, status: number, retryAfter: string | undefined): NotFetched {
  const reason = `the site responded with ${status}`
  if (status === 401 || status === 403 || status === 407 || status === 451) return { outcome: 'refused', url, reason }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const wait = secondsOf(retryAfter)
    return { outcome: 'unavailable', url, reason, ...(wait !== undefined && { retryAfter: wait }) }
  }
  return { outcome: 'missing', url, reason }
}

/** Returns the Retry-After time in whole seconds, at most one day. */
export function secondsOf(retryAfter: string | undefined, now = Date.now()): number | undefined {
  const seconds = retryAfterSeconds(retryAfter, now)
  return seconds === undefined ? undefined : Math.min(86_400, Math.ceil(seconds))
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

const isTimeout = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'TimeoutError') || TIMEOUTS.has(systemCode(error) ?? '')

const UNCONNECTED = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPROTO',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Returns whether the certificate is expired, issued for another host or issued by an untrusted authority. This check
 * cannot be disabled.
 */
const isWrongCertificate = (error: unknown): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(systemCode(error) ?? '')

/** Returns whether the connection failed before any HTTP data was exchanged. */
const isUnconnected = (error: unknown): boolean => {
  const code = systemCode(error) ?? ''
  return UNCONNECTED.has(code) || /^ERR_(?:SSL|TLS)/.test(code)
}

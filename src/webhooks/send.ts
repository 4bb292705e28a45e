import type { Dispatcher } from 'undici'
import { request } from 'undici'
import { systemCode } from '../lib/errors.ts'
import { retryAfterSeconds } from '../lib/retry-after.ts'

/** Result of one delivery attempt. */
export interface SendResult {
  /** `gone` means that the receiver responded with 410. */
  verdict: 'delivered' | 'failed' | 'gone'
  status: number | null
  error: string | null
  /** Retry-After in seconds; 0 if absent. */
  retryAfter: number
  milliseconds: number
}

/** Maximum response bytes read before the connection is closed. */
const BODY_LIMIT = 64 * 1024
/** Statuses for which Retry-After is honored. */
const BUSY = new Set([429, 502, 503, 504])

/**
 * The reason shown for rejected URLs, and for failures that are not in `REASONS`. The reason is generic, because
 * clients must not learn how the service resolves names or which addresses its network rejects.
 */
export const UNREACHABLE = 'the callback URL is not reachable or not allowed'

/** Reasons shown to clients. System error messages would reveal the resolved addresses. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed by the receiver',
  UND_ERR_SOCKET: 'connection closed by the receiver',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
}

export interface SendRequest {
  url: URL
  headers: Record<string, string>
  payload: string
  /** Connects only to public addresses. */
  agent: Dispatcher
  signal: AbortSignal
  /** Timeout of the attempt in milliseconds, including the response body. */
  timeLimit: number
  now: () => Date
}

/**
 * Sends a notification once. Does not follow redirects. Only 2xx responses count as success. Returns failures instead
 * of throwing.
 */
export async function sendWebhook({
  url,
  headers,
  payload,
  agent,
  signal,
  timeLimit,
  now,
}: SendRequest): Promise<SendResult> {
  const started = performance.now()
  const end = (verdict: SendResult['verdict'], status: number | null, error: string | null, retryAfter = 0) => ({
    verdict,
    status,
    error,
    retryAfter,
    milliseconds: Math.round(performance.now() - started),
  })
  const limit = AbortSignal.timeout(timeLimit)
  try {
    const reply = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'talhouse-webhooks' },
      body: payload,
      dispatcher: agent,
      signal: AbortSignal.any([signal, limit]),
      headersTimeout: timeLimit,
      bodyTimeout: timeLimit,
    })
    await reply.body.dump({ limit: BODY_LIMIT, signal: limit })
    const { statusCode: status } = reply
    if (status >= 200 && status < 300) return end('delivered', status, null)
    if (status === 410) return end('gone', status, 'the receiver responded with 410 Gone; notifications are disabled')
    const header = reply.headers['retry-after']
    const asked = BUSY.has(status) ? (retryAfterSeconds([header].flat()[0], now().getTime()) ?? 0) : 0
    const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : ''
    return end('failed', status, `the receiver responded with ${status}${redirect}`, asked)
  } catch (error) {
    if (signal.aborted) throw error
    const reason = limit.aborted
      ? `no response within ${timeLimit / 1000} s`
      : (REASONS[systemCode(error) ?? ''] ?? UNREACHABLE)
    return end('failed', null, reason)
  }
}

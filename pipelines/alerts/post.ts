import { request } from 'undici'
import { AppError } from '../../src/lib/errors.ts'

const TIMEOUT_MS = 10_000
const WORTH_A_RETRY: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Sends a request to a monitoring service. Throws `upstream_failed` for a status other than 2xx. */
export async function send(url: string, body?: object, headers: Record<string, string> = {}): Promise<void> {
  const { statusCode, body: reply } = await request(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  }).catch((cause: unknown) => {
    throw new AppError('upstream_failed', `no response from ${new URL(url).host}`, { cause, retryable: true })
  })
  await reply.dump()
  if (statusCode >= 200 && statusCode < 300) return
  // The error message omits the URL's path, because a webhook's path is secret.
  throw new AppError('upstream_failed', `${new URL(url).host} responded ${statusCode}`, {
    retryable: WORTH_A_RETRY.has(statusCode),
  })
}

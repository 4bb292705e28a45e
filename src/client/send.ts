import { sleep, withSignal } from './abort.ts'
import { ConnectionError, TalhouseError, TimeoutError } from './errors.ts'
import type { ApiRequest, ClientOptions, CsvFile, Query, RequestOptions, RetryOptions, Send } from './options.ts'
import type { Reply } from './reply.ts'
import { errorOf, isSuccess, parseReply, retryAfterOf } from './reply.ts'
import type { Fetch } from './transport.ts'

const TIMEOUT = 30_000
const MAX_RETRY_AFTER = 120_000
const MEDIA_TYPES = { json: 'application/json', csv: 'text/csv' } as const

/**
 * Sends requests. Retries 408, 429 and 5xx responses and lost responses, after the delay in `Retry-After` or with
 * exponential backoff. A request that is not repeatable is retried only after a 429.
 */
export function createSend(options: ClientOptions): Send {
  const { retry = {} } = options
  const prepare = preparer(options)
  return async <Body>(request: ApiRequest, perCall: RequestOptions = {}): Promise<Body> => {
    const call = prepare(request, perCall)
    const signals = [options.signal, perCall.signal].filter((signal) => signal !== undefined)
    return await withSignal(signals, undefined, async (signal) => {
      for (let attempt = 1; ; attempt += 1) {
        signal.throwIfAborted()
        const outcome = await attemptOnce(call, options, signal)
        if (!(outcome instanceof ConnectionError)) {
          options.onResponse?.(outcome)
          perCall.onResponse?.(outcome)
          if (isSuccess(outcome.status)) return outcome.body as Body
        }
        const delay = attempt < (retry.attempts ?? 5) ? delayAfter(outcome, call, attempt, retry) : undefined
        if (delay === undefined) throw failureOf(outcome, retry)
        const reason = outcome instanceof ConnectionError ? outcome.message : `status ${outcome.status}`
        retry.onRetry?.({ request: call.name, attempt, reason, delay })
        await sleep(delay, signal)
      }
    })
  }
}

interface PreparedCall {
  /**
   * Describes the request in messages, such as `POST /firms`. Omits the query string, which may contain personal data.
   */
  name: string
  url: string
  method: string
  headers: Record<string, string>
  body: CsvFile | undefined
  accept: string
  timeout: number
  repeatable: boolean
}

function preparer({ baseUrl, apiKey, timeout = TIMEOUT }: ClientOptions) {
  const base = parseBaseUrl(baseUrl)
  // `fetch` rejects a key with non-ASCII or control characters, but the error looks like a failed connection.
  if (apiKey !== undefined && !/^[\x20-\x7e]*$/.test(apiKey))
    throw new TalhouseError('The API key contains invalid characters.')
  return (
    { method, path, query, body, csv, accept = 'json', headers, waits = 0, repeatable = method === 'GET' }: ApiRequest,
    perCall: RequestOptions,
  ): PreparedCall => ({
    name: `${method} ${path}`,
    url: base + path + queryText(query),
    method,
    headers: {
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      accept: MEDIA_TYPES[accept],
      ...(body !== undefined && { 'content-type': MEDIA_TYPES.json }),
      ...(csv !== undefined && { 'content-type': MEDIA_TYPES.csv }),
      ...headers,
    },
    body: csv ?? (body === undefined ? undefined : JSON.stringify(body)),
    accept: MEDIA_TYPES[accept],
    timeout: (perCall.timeout ?? timeout) + waits,
    repeatable,
  })
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TalhouseError(`Invalid base URL ${JSON.stringify(text)}: use https://host/path.`)
  return url.origin + url.pathname.replace(/\/$/, '')
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

const platformFetch: Fetch = (url, request) => fetch(url, request)

/** Returns a complete response, or the reason that none was received. */
async function attemptOnce(
  { name, url, method, headers, body, accept, timeout }: PreparedCall,
  { fetch: send = platformFetch, limiter }: ClientOptions,
  signal: AbortSignal,
): Promise<Reply | ConnectionError> {
  const release = await limiter?.acquire(signal)
  let isLate = false
  try {
    return await withSignal([signal], timeout, async (attempt) => {
      try {
        const request = {
          method,
          headers,
          signal: attempt,
          redirect: 'manual',
          ...(body !== undefined && { body }),
        } as const
        const response = await send(url, request)
        const info = { request: name, status: response.status, headers: response.headers }
        return parseReply(info, await response.text(), accept)
      } finally {
        isLate = attempt.aborted
      }
    })
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ConnectionError) return cause
    if (isLate) return new TimeoutError(`${name} timed out after ${timeout / 1000} s.`, { cause })
    const { origin } = new URL(url)
    return new ConnectionError(`${name} failed without a complete response from ${origin}: ${reasonOf(cause)}`, {
      cause,
    })
  } finally {
    release?.()
  }
}

/** `fetch` puts the reason in the error's cause, which may be an AggregateError without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || String('code' in error ? error.code : error.name)
}

const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Returns the milliseconds until the next attempt; undefined if the request is not retried. */
function delayAfter(
  outcome: Reply | ConnectionError,
  { repeatable }: PreparedCall,
  attempt: number,
  { minDelay = 200, maxDelay = 30_000, maxRetryAfter = MAX_RETRY_AFTER }: RetryOptions,
): number | undefined {
  const ceiling = Math.min(maxDelay, minDelay * 2 ** (attempt - 1))
  const backoff = ceiling / 2 + (Math.random() * ceiling) / 2
  if (outcome instanceof ConnectionError) return repeatable ? backoff : undefined
  if (!isTransient(outcome.status) || (!repeatable && outcome.status !== 429)) return undefined
  const asked = retryAfterOf(outcome)
  if (asked === undefined) return backoff
  return asked <= maxRetryAfter ? asked : undefined
}

const failureOf = (
  outcome: Reply | ConnectionError,
  { maxRetryAfter = MAX_RETRY_AFTER }: RetryOptions,
): TalhouseError => (outcome instanceof ConnectionError ? outcome : errorOf(outcome, maxRetryAfter))

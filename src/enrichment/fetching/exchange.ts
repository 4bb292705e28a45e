import type { Agent } from 'undici'
import { request } from 'undici'
import { secondsOf } from './failures.ts'
import type { HostGate } from './host-gate.ts'
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts'
import type { FetchingSettings } from './settings.ts'
import { userAgentOf } from './settings.ts'

/** The response to one request. Redirects are not followed at this level. */
export interface Exchange {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface ExchangeLimits {
  maxBytes: number
  /** Whether to truncate a body larger than `maxBytes` instead of rejecting it. */
  truncate?: boolean
  budget: Budget
  signal: AbortSignal
  /** The host's crawl delay in seconds. */
  delay: number
}

/** Remaining time for the page, in milliseconds. Time spent waiting for the host rate limit is not counted. */
export interface Budget {
  left: number
}

/**
 * Sends one request. Throws on network errors or if the request exceeds the size limit, the time limit or the host rate
 * limit.
 */
export type MakeExchange = (url: string, headers: Record<string, string>, limits: ExchangeLimits) => Promise<Exchange>

/** Pause after a 429 response without Retry-After. */
const DEFAULT_PAUSE_SECONDS = 60

export function createExchange(settings: FetchingSettings, dispatcher: Agent, gate: HostGate): MakeExchange {
  const own = { 'user-agent': userAgentOf(settings), 'accept-encoding': ACCEPTED_ENCODINGS }

  async function exchange(
    url: string,
    headers: Record<string, string>,
    { budget, signal, maxBytes, truncate }: ExchangeLimits,
  ): Promise<Exchange> {
    const started = performance.now()
    const left = Math.max(1, Math.ceil(budget.left))
    const until = AbortSignal.any([signal, AbortSignal.timeout(left)])
    try {
      const reply = await request(url, {
        dispatcher,
        headers: { ...own, ...headers },
        signal: until,
        headersTimeout: left,
        bodyTimeout: left,
      })
      const encoding = String(reply.headers['content-encoding'] ?? '')
      const body = await readBody(reply.body, encoding, maxBytes, until, truncate)
      return { status: reply.statusCode, headers: reply.headers, body }
    } finally {
      budget.left -= performance.now() - started
    }
  }

  /** Pauses requests to the host in all processes that share the rate limit. */
  async function honorRetryAfter(hostname: string, { status, headers }: Exchange): Promise<void> {
    if (status !== 429 && status !== 503) return
    const seconds = secondsOf(headerOf(headers, 'retry-after')) ?? (status === 429 ? DEFAULT_PAUSE_SECONDS : 0)
    if (seconds > 0) await gate.pause(hostname, seconds)
  }

  return (url, headers, limits) => {
    const { hostname } = new URL(url)
    const job = async (): Promise<Exchange> => {
      const made = await exchange(url, headers, limits)
      await honorRetryAfter(hostname, made)
      return made
    }
    return gate.run(hostname, job, limits.signal, limits.delay)
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Returns the target of a redirect; undefined for other responses and for redirects without a valid Location. */
export function redirectTarget({ status, headers }: Exchange, url: string): string | undefined {
  const location = REDIRECTS.has(status) ? headerOf(headers, 'location') : undefined
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined
}

/** Returns the first value of a header. */
export function headerOf(headers: Exchange['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

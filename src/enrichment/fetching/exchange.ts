import type { Agent } from 'undici'
import { request } from 'undici'
import { secondsOf } from './failures.ts'
import type { HostGate } from './host-gate.ts'
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts'
import type { FetchingSettings } from './settings.ts'
import { userAgentOf } from './settings.ts'

/** One response, not yet judged. Redirects are not followed here. */
export interface Exchange {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface ExchangeLimits {
  maxBytes: number
  /** Take what came up to `maxBytes` instead of refusing the whole. */
  cutOff?: boolean
  budget: Budget
  signal: AbortSignal
  /** Seconds between requests that the host asks for. */
  delay: number
}

/** Milliseconds that are left for one page; only time spent in exchanges counts, not waiting for the host's turn. */
export interface Budget {
  left: number
}

/** Asks once. Throws what the network, the limits and the host's gate throw. */
export type MakeExchange = (url: string, headers: Record<string, string>, limits: ExchangeLimits) => Promise<Exchange>

/** Seconds that a host is left alone which says that it is asked too often, and not for how long. */
const USUAL_REST = 60

export function createExchange(settings: FetchingSettings, dispatcher: Agent, gate: HostGate): MakeExchange {
  const own = { 'user-agent': userAgentOf(settings), 'accept-encoding': ACCEPTED_ENCODINGS }

  async function exchange(
    url: string,
    headers: Record<string, string>,
    { budget, signal, maxBytes, cutOff }: ExchangeLimits,
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
      const body = await readBody(reply.body, encoding, maxBytes, until, cutOff)
      return { status: reply.statusCode, headers: reply.headers, body }
    } finally {
      budget.left -= performance.now() - started
    }
  }

  /** Leaves a host alone that asks for it, by this and every process that shares the hostRateLimit. */
  async function restAsAsked(hostname: string, { status, headers }: Exchange): Promise<void> {
    if (status !== 429 && status !== 503) return
    const seconds = secondsOf(headerOf(headers, 'retry-after')) ?? (status === 429 ? USUAL_REST : 0)
    if (seconds > 0) await gate.rest(hostname, seconds)
  }

  return (url, headers, limits) => {
    const { hostname } = new URL(url)
    const job = async (): Promise<Exchange> => {
      const made = await exchange(url, headers, limits)
      await restAsAsked(hostname, made)
      return made
    }
    return gate.pass(hostname, job, limits.signal, limits.delay)
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Where a redirect leads; undefined for what is none. A redirect to nowhere is judged as the answer that it is. */
export function redirectTarget({ status, headers }: Exchange, url: string): string | undefined {
  const location = REDIRECTS.has(status) ? headerOf(headers, 'location') : undefined
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined
}

/** The header's first value. */
export function headerOf(headers: Exchange['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

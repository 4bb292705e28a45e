import type { Agent } from 'undici'
import { request } from 'undici'
import { sleep } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import { systemClock } from '../../lib/clock.ts'
import { parseConnectTo } from '../../lib/connect-to.ts'
import { AppError } from '../../lib/errors.ts'
import type { Guard, Resolve } from '../../lib/guarded-agent.ts'
import { checkOutboundUrl, createGuardedAgent } from '../../lib/guarded-agent.ts'
import { isSocialNetwork } from '../../lib/social-networks.ts'
import { readAuthorities } from './authorities.ts'
import { decodeText } from './decode-text.ts'
import { outcomeOfFailure, outcomeOfStatus, secondsOf } from './failures.ts'
import type { Fetched, FetchedPage } from './fetched.ts'
import { HostGate } from './host-gate.ts'
import type { Pace } from './pace.ts'
import { OwnPace } from './pace.ts'
import type { CachedPage } from './page-cache.ts'
import { PageCache } from './page-cache.ts'
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts'
import type { RobotsRules } from './robots.ts'
import { allowAll, ROBOTS_MAX_BYTES } from './robots.ts'
import type { RobotsFile, RobotsStore } from './robots-cache.ts'
import { RobotsCache } from './robots-cache.ts'
import type { FetchingSettings } from './settings.ts'
import { productOf, userAgentOf } from './settings.ts'

export interface FetchOptions {
  signal: AbortSignal
  /** The `accept` header. @default HTML */
  accept?: string
  /** Less than the setting, for small things. */
  maxBytes?: number
  /** A documented interface for programs: robots.txt, which is about its host's pages, is not read. */
  isInterface?: boolean
}

/** Fetches public pages as a guest who wants to be let in again. One for a process: it knows when each host was last asked. */
export interface Fetcher extends AsyncDisposable {
  /** What came of the address, redirects followed. Throws only when the signal aborts. */
  get(url: string, options: FetchOptions): Promise<Fetched>
  /** The site's own rules, for its sitemaps. */
  robots(origin: string, signal: AbortSignal): Promise<RobotsRules>
  /** What is held in memory now. None of it grows with the number of hosts ever asked. */
  readonly held: HeldByFetcher
}

export interface HeldByFetcher {
  /** Hosts that are being asked. */
  hosts: number
  /** Hosts with a connection. */
  connected: number
  /** Sites whose robots.txt is kept. */
  robots: number
  /** Bytes of pages kept for conditional requests. */
  pageBytes: number
}

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1'
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Seconds that a host is left alone which says that it is asked too often, and not for how long. */
const USUAL_REST = 60

/** What a fetcher shares with others. Alone it keeps everything to itself. */
export interface FetcherDeps {
  /** When each host may be asked. @default the pace of this process alone */
  pace?: Pace
  /** The robots.txt files that others have read. */
  robots?: RobotsStore
  /** The following are for tests. */
  resolve?: Resolve
  clock?: Clock
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** The settings are those of the configuration. Throws `configuration` for what cannot be used of them. */
export function createFetcher(
  settings: FetchingSettings,
  { pace = new OwnPace(), robots, resolve, clock = systemClock, wait = sleep }: FetcherDeps = {},
): Fetcher {
  const guard: Guard = {
    connectTo: parseConnectTo(settings.connect_to),
    ports: new Set(settings.ports),
    ...(resolve && { resolve }),
  }
  const agent = createGuardedAgent(guard, {
    connectTimeout: Math.min(10, settings.timeout_seconds) * 1000,
    connections: settings.connections_per_host,
    maxHeaderSize: 32_768,
    keepAliveTimeout: 4000,
    ca: readAuthorities(settings.extra_ca_files),
  })
  const cache = new RobotsCache(productOf(settings), clock, robots)
  return new PoliteFetcher(settings, guard, agent, cache, new HostGate(settings, pace, wait))
}

/** One response, not yet judged. Redirects are not followed here. */
interface Exchange {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

class PoliteFetcher implements Fetcher {
  readonly #settings: FetchingSettings
  readonly #guard: Guard
  readonly #agent: Agent
  readonly #robots: RobotsCache
  readonly #gate: HostGate
  readonly #cache: PageCache
  readonly #userAgent: string

  constructor(settings: FetchingSettings, guard: Guard, agent: Agent, robots: RobotsCache, gate: HostGate) {
    this.#settings = settings
    this.#guard = guard
    this.#agent = agent
    this.#robots = robots
    this.#gate = gate
    this.#cache = new PageCache(settings.cache_bytes)
    this.#userAgent = userAgentOf(settings)
  }

  async get(
    address: string,
    { signal, accept = HTML, maxBytes = this.#settings.max_bytes, isInterface = false }: FetchOptions,
  ): Promise<Fetched> {
    const budget = this.#budget()
    let url = address
    try {
      for (let hop = 0; hop <= this.#settings.max_redirects; hop++) {
        url = checkOutboundUrl(url, this.#guard).href
        if (isSocialNetwork(url)) return { outcome: 'refused', url, reason: 'social networks are not fetched' }
        const { origin } = new URL(url)
        const rules = isInterface ? allowAll() : await this.robots(origin, signal)
        if (rules.unreachable) return { ...rules.unreachable, url }
        if (!rules.allows(url)) return { outcome: 'refused', url, reason: 'robots.txt does not allow it' }
        const cached = this.#cache.get(url)
        const reply = await this.#exchange(
          url,
          { accept, ...conditions(cached) },
          { maxBytes, budget, signal, delay: rules.delay },
        )
        if (reply.status === 304 && cached) return pageOf(cached)
        const target = redirectTarget(reply, url)
        if (target === undefined) return this.#judge(url, reply)
        url = target
      }
      return { outcome: 'refused', url: address, reason: `more than ${this.#settings.max_redirects} redirects` }
    } catch (error) {
      signal.throwIfAborted()
      return outcomeOfFailure(url, error, this.#settings)
    }
  }

  robots(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    return this.#robots.rulesFor(origin, () => this.#loadRobots(origin, signal))
  }

  get held(): HeldByFetcher {
    return {
      hosts: this.#gate.size,
      connected: Object.keys(this.#agent.stats).length,
      robots: this.#robots.size,
      pageBytes: this.#cache.bytes,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy()
  }

  async #loadRobots(origin: string, signal: AbortSignal): Promise<RobotsFile> {
    const budget = this.#budget()
    let url = `${origin}/robots.txt`
    try {
      // RFC 9309, 2.3.1.2: at least five hops, to other hosts too; beyond them there are no rules.
      for (let hop = 0; hop <= 5; hop++) {
        checkOutboundUrl(url, this.#guard)
        const limits = { maxBytes: ROBOTS_MAX_BYTES, cutOff: true, budget, signal, delay: 0 }
        const reply = await this.#exchange(url, { accept: 'text/plain,*/*;q=0.1' }, limits)
        const target = redirectTarget(reply, url)
        if (target !== undefined) url = target
        else if (reply.status >= 500 || reply.status === 429)
          return { outcome: 'unavailable', url, reason: `robots.txt answers ${reply.status}` }
        else if (reply.status >= 300) return null
        // A NUL is part of no rule, and no database holds one.
        else return decodeText({ body: reply.body, charset: '' }).replaceAll('\0', '')
      }
      return null
    } catch (error) {
      signal.throwIfAborted()
      // A refusal of ours stands for the whole site and is told as such.
      if (error instanceof AppError && error.code === 'unprocessable') throw error
      return outcomeOfFailure(url, error, this.#settings)
    }
  }

  /** Milliseconds that are left for one page; only time spent in exchanges counts, not waiting for the host's turn. */
  #budget(): { left: number } {
    return { left: this.#settings.timeout_seconds * 1000 }
  }

  #exchange(url: string, headers: Record<string, string>, limits: ExchangeLimits): Promise<Exchange> {
    const { signal, budget } = limits
    const { hostname } = new URL(url)
    const job = async (): Promise<Exchange> => {
      const started = performance.now()
      const left = Math.max(1, Math.ceil(budget.left))
      const deadline = AbortSignal.timeout(left)
      const until = AbortSignal.any([signal, deadline])
      try {
        const reply = await request(url, {
          dispatcher: this.#agent,
          headers: { 'user-agent': this.#userAgent, 'accept-encoding': ACCEPTED_ENCODINGS, ...headers },
          signal: until,
          headersTimeout: left,
          bodyTimeout: left,
        })
        const encoding = String(reply.headers['content-encoding'] ?? '')
        const body = await readBody(reply.body, encoding, limits.maxBytes, until, limits.cutOff)
        const exchange = { status: reply.statusCode, headers: reply.headers, body }
        await this.#restAsAsked(hostname, exchange)
        return exchange
      } finally {
        budget.left -= performance.now() - started
      }
    }
    return this.#gate.pass(hostname, job, signal, limits.delay)
  }

  /** Leaves a host alone that asks for it, by this and every process that shares the pace. */
  async #restAsAsked(hostname: string, { status, headers }: Exchange): Promise<void> {
    if (status !== 429 && status !== 503) return
    const seconds = secondsOf(one(headers['retry-after'])) ?? (status === 429 ? USUAL_REST : 0)
    if (seconds > 0) await this.#gate.rest(hostname, seconds)
  }

  #judge(url: string, { status, headers, body }: Exchange): Fetched {
    if (status !== 200) return outcomeOfStatus(url, status, one(headers['retry-after']))
    const page: CachedPage = {
      url,
      etag: one(headers['etag']),
      lastModified: one(headers['last-modified']),
      contentType: one(headers['content-type']) ?? '',
      body,
    }
    this.#cache.set(page)
    return pageOf(page)
  }
}

interface ExchangeLimits {
  maxBytes: number
  /** Take what came up to `maxBytes` instead of refusing the whole. */
  cutOff?: boolean
  budget: { left: number }
  signal: AbortSignal
  delay: number
}

function conditions(cached: CachedPage | undefined): Record<string, string> {
  return {
    ...(cached?.etag && { 'if-none-match': cached.etag }),
    ...(cached?.lastModified && { 'if-modified-since': cached.lastModified }),
  }
}

/** Where a redirect leads; undefined for what is none. A redirect to nowhere is judged as the answer that it is. */
function redirectTarget({ status, headers }: Exchange, url: string): string | undefined {
  const location = REDIRECTS.has(status) ? one(headers['location']) : undefined
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined
}

function pageOf({ url, contentType, body }: CachedPage): FetchedPage {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const charset = /charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1] ?? ''
  return {
    outcome: 'page',
    url,
    contentType: mediaType,
    charset,
    body,
    text: () => decodeText({ body, charset }),
  }
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

import type { Agent } from 'undici'
import { sleep } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import { systemClock } from '../../lib/clock.ts'
import { parseConnectTo } from '../../lib/connect-to.ts'
import type { Guard, Resolve } from '../../lib/guarded-agent.ts'
import { checkOutboundUrl, createGuardedAgent } from '../../lib/guarded-agent.ts'
import { isSocialNetwork } from '../../lib/social-networks.ts'
import { readAuthorities } from './authorities.ts'
import { decodeText } from './decode-text.ts'
import type { Budget, Exchange, MakeExchange } from './exchange.ts'
import { createExchange, headerOf, redirectTarget } from './exchange.ts'
import { outcomeOfFailure, outcomeOfStatus } from './failures.ts'
import type { Fetched, FetchedPage } from './fetched.ts'
import { HostGate } from './host-gate.ts'
import type { HostRateLimit } from './host-rate-limit.ts'
import { LocalHostRateLimit } from './host-rate-limit.ts'
import { loadRobots } from './load-robots.ts'
import type { CachedPage } from './page-cache.ts'
import { PageCache } from './page-cache.ts'
import type { RobotsRules } from './robots.ts'
import { allowAll } from './robots.ts'
import type { RobotsStore } from './robots-cache.ts'
import { RobotsCache } from './robots-cache.ts'
import type { FetchingSettings } from './settings.ts'
import { productOf } from './settings.ts'

export interface FetchOptions {
  signal: AbortSignal
  /** Value of the Accept header. @default HTML */
  accept?: string
  /** Size limit in bytes. @default the setting `max_bytes` */
  maxBytes?: number
  /** Whether the URL is a documented API, to which robots.txt does not apply. */
  isApi?: boolean
}

/**
 * A crawler for public pages that obeys robots.txt and rate limits. Create one crawler per process, because the crawler
 * owns the connections and caches.
 */
export interface Fetcher extends AsyncDisposable {
  /** Fetches a URL and follows redirects. Throws only if the signal is aborted. */
  get(url: string, options: FetchOptions): Promise<Fetched>
  /** Reads the site's robots.txt, which also lists the site's sitemaps. */
  robots(origin: string, signal: AbortSignal): Promise<RobotsRules>
  /**
   * Current sizes of the in-memory state, for monitoring. The sizes do not grow with the number of hosts ever fetched.
   */
  readonly held: HeldByFetcher
}

export interface HeldByFetcher {
  /** Number of hosts with requests in progress or waiting. */
  hosts: number
  /** Number of hosts with an open connection. */
  connected: number
  /** Number of cached robots.txt files. */
  robots: number
  /** Size of the page cache in bytes. */
  pageBytes: number
}

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1'
/**
 * RFC 9110, 4.1, recommends support for URLs of at least 8,000 characters. Hostile pages may contain URLs of several
 * megabytes.
 */
const MAX_URL_LENGTH = 8000

/** State that can be shared between processes, and dependencies that tests replace. */
export interface FetcherDeps {
  /** @default a rate limit within this process */
  hostRateLimit?: HostRateLimit
  robots?: RobotsStore
  /** Only tests set this dependency and the dependencies below. */
  resolve?: Resolve
  clock?: Clock
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** Creates a fetcher. Throws `configuration` for invalid settings. */
export function createFetcher(
  settings: FetchingSettings,
  { hostRateLimit = new LocalHostRateLimit(), robots, resolve, clock = systemClock, wait = sleep }: FetcherDeps = {},
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
  return new HttpFetcher(settings, guard, agent, cache, new HostGate(settings, hostRateLimit, wait))
}

class HttpFetcher implements Fetcher {
  readonly #settings: FetchingSettings
  readonly #guard: Guard
  readonly #agent: Agent
  readonly #robots: RobotsCache
  readonly #gate: HostGate
  readonly #exchange: MakeExchange
  readonly #cache: PageCache

  constructor(settings: FetchingSettings, guard: Guard, agent: Agent, robots: RobotsCache, gate: HostGate) {
    this.#settings = settings
    this.#guard = guard
    this.#agent = agent
    this.#robots = robots
    this.#gate = gate
    this.#exchange = createExchange(settings, agent, gate)
    this.#cache = new PageCache(settings.cache_bytes)
  }

  async get(
    address: string,
    { signal, accept = HTML, maxBytes = this.#settings.max_bytes, isApi = false }: FetchOptions,
  ): Promise<Fetched> {
    const budget = this.#budget()
    let url = address
    try {
      for (let hop = 0; hop <= this.#settings.max_redirects; hop++) {
        if (url.length > MAX_URL_LENGTH)
          return {
            outcome: 'refused',
            url: url.slice(0, 100),
            reason: `the URL has more than ${MAX_URL_LENGTH} characters`,
          }
        url = checkOutboundUrl(url, this.#guard).href
        if (isSocialNetwork(url)) return { outcome: 'refused', url, reason: 'social networks are not fetched' }
        const { origin } = new URL(url)
        const rules = isApi ? allowAll() : await this.robots(origin, signal)
        if (rules.unreachable) return { ...rules.unreachable, url }
        if (!rules.allows(url)) return { outcome: 'refused', url, reason: 'disallowed by robots.txt' }
        const cached = this.#cache.get(url)
        const headers = { accept, ...conditions(cached) }
        const reply = await this.#exchange(url, headers, { maxBytes, budget, signal, delay: rules.delay })
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
    const source = { exchange: this.#exchange, guard: this.#guard, settings: this.#settings }
    return this.#robots.rulesFor(origin, () => loadRobots(source, origin, this.#budget(), signal))
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

  #budget(): Budget {
    return { left: this.#settings.timeout_seconds * 1000 }
  }

  #judge(url: string, { status, headers, body }: Exchange): Fetched {
    if (status !== 200) return outcomeOfStatus(url, status, headerOf(headers, 'retry-after'))
    const page: CachedPage = {
      url,
      etag: headerOf(headers, 'etag'),
      lastModified: headerOf(headers, 'last-modified'),
      contentType: headerOf(headers, 'content-type') ?? '',
      body,
    }
    this.#cache.set(page)
    return pageOf(page)
  }
}

function conditions(cached: CachedPage | undefined): Record<string, string> {
  return {
    ...(cached?.etag && { 'if-none-match': cached.etag }),
    ...(cached?.lastModified && { 'if-modified-since': cached.lastModified }),
  }
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

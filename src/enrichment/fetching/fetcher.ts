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
/** RFC 9110, 4.1: longer addresses need not be supported. A page may link to one of megabytes. */
const MAX_ADDRESS = 8000

/** What a fetcher shares with others. Alone it keeps everything to itself. */
export interface FetcherDeps {
  /** When each host may be asked. @default the hostRateLimit of this process alone */
  hostRateLimit?: HostRateLimit
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
  return new PoliteFetcher(settings, guard, agent, cache, new HostGate(settings, hostRateLimit, wait))
}

class PoliteFetcher implements Fetcher {
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
    { signal, accept = HTML, maxBytes = this.#settings.max_bytes, isInterface = false }: FetchOptions,
  ): Promise<Fetched> {
    const budget = this.#budget()
    let url = address
    try {
      for (let hop = 0; hop <= this.#settings.max_redirects; hop++) {
        if (url.length > MAX_ADDRESS)
          return {
            outcome: 'refused',
            url: url.slice(0, 100),
            reason: `the address has more than ${MAX_ADDRESS} characters`,
          }
        url = checkOutboundUrl(url, this.#guard).href
        if (isSocialNetwork(url)) return { outcome: 'refused', url, reason: 'social networks are not fetched' }
        const { origin } = new URL(url)
        const rules = isInterface ? allowAll() : await this.robots(origin, signal)
        if (rules.unreachable) return { ...rules.unreachable, url }
        if (!rules.allows(url)) return { outcome: 'refused', url, reason: 'robots.txt does not allow it' }
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

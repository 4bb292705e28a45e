import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { openReaderPool } from '../../src/enrichment/providers/website/reader-pool.ts'
import { createWebsiteProvider } from '../../src/enrichment/providers/website.ts'
import { gather } from '../../src/findings/gather.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { HOSTILE_SITES, serveHostileWeb } from '../helpers/hostile-web.ts'
import { enrichmentSettings, fetchingSettings } from '../helpers/web-server.ts'

export interface HostileSite {
  name: string
  status: string
  reason: string | null
  seconds: number
  requests: number
}

export interface HostileResult {
  sites: HostileSite[]
  /**
   * Regular companies enriched at the same time, and how many of them had the same findings as without hostile sites.
   */
  honest: { companies: number; unharmed: number; slowest: number }
  /** Peak increase in memory since the start, in megabytes. */
  memory: number
  /** Number of requests that reached a private address. */
  leaked: number
  /** Longest time the event loop was blocked, in milliseconds. */
  longestBlock: number
}

export interface HostileOptions {
  /** Timeout per page, in seconds. */
  timeoutSeconds?: number
  /** @default all sites */
  names?: readonly string[]
}

const CONCURRENCY = 16
const HONEST = 24

/** Enriches hostile sites together with regular companies, 16 at once, with production limits but shorter timeouts. */
export async function enrichHostileWeb({
  timeoutSeconds = 6,
  names = Object.keys(HOSTILE_SITES),
}: HostileOptions = {}): Promise<HostileResult> {
  await using hostile = await serveHostileWeb()
  await using web = await startDemoWeb({ companies: HONEST })
  const isHostile = new Set(names)
  const rules = names.flatMap((name) => [`${name}.example`, `www.${name}.example`])
  await using fetcher = createFetcher(
    fetchingSettings({
      connect_to: [...rules.map((host) => `${host}::127.0.0.1:${hostile.port}`), ...web.connectTo],
      extra_ca_files: [web.authorityFile],
      timeout_seconds: timeoutSeconds,
      max_bytes: 5_000_000,
      cache_bytes: 50_000_000,
      // Practically unlimited, but not 0: Retry-After is obeyed only with a rate limit.
      requests_per_second: 1000,
    }),
  )
  await using readers = openReaderPool({ processes: 2, seconds: 10, megabytes: 512 })
  const provider = createWebsiteProvider({
    fetcher,
    readPages: readers.readPages,
    receivesMail: async () => null,
    settings: enrichmentSettings(),
    clock: systemClock,
  })
  const read = async (domain: string) => {
    const started = performance.now()
    const gathered = await gather([provider], {
      domain,
      known: {},
      groups: new Set(['company', 'leadership', 'signals']),
      maxPeople: 25,
      maxArticles: 10,
      clock: systemClock,
      signal: new AbortController().signal,
      log: silentLog,
    })
    const [answer] = gathered.answers
    const found = {
      fields: gathered.observations.length,
      people: gathered.people.length,
      news: gathered.signals.length,
    }
    return { ...answer, found: JSON.stringify(found), seconds: (performance.now() - started) / 1000 }
  }
  const honest = web.companies.map(({ domain }) => domain)
  const alone = new Map<string, string>()
  for (const domain of honest) alone.set(domain, (await read(domain)).found)

  const result: HostileResult = {
    sites: [],
    honest: { companies: honest.length, unharmed: 0, slowest: 0 },
    memory: 0,
    leaked: 0,
    longestBlock: 0,
  }
  const start = process.memoryUsage.rss()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const watch = setInterval(() => {
    result.memory = Math.max(result.memory, (process.memoryUsage.rss() - start) / 1e6)
  }, 20)
  const mixed = [...names.map((name) => `${name}.example`)]
  for (const [place, domain] of honest.entries()) mixed.splice(place * 2, 0, domain)
  const queue = mixed.values()
  const reader = async (): Promise<void> => {
    for (const domain of queue) {
      const { status = '', reason = null, found, seconds } = await read(domain)
      const name = domain.replace(/\.example$/, '')
      if (isHostile.has(name))
        result.sites.push({ name, status, reason, seconds, requests: hostile.requests.get(name) ?? 0 })
      else {
        result.honest.unharmed += Number(found === alone.get(domain))
        result.honest.slowest = Math.max(result.honest.slowest, seconds)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, reader))
  clearInterval(watch)
  delay.disable()
  result.longestBlock = delay.max / 1e6
  result.leaked = hostile.requests.get('127') ?? 0
  return result
}

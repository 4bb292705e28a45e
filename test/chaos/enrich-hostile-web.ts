import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { createModelReader } from '../../src/enrichment/model-reader/model-reader.ts'
import type { ReadingTask, ReadPages } from '../../src/enrichment/providers/website/read-pages.ts'
import { openReaderPool } from '../../src/enrichment/providers/website/reader-pool.ts'
import { createWebsiteProvider } from '../../src/enrichment/providers/website.ts'
import { gather } from '../../src/findings/gather.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { AppError } from '../../src/lib/errors.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { HOSTILE_SITES, INSIDE, serveHostileWeb } from '../helpers/hostile-web.ts'
import { enrichmentSettings, fetchingSettings, serveWeb } from '../helpers/web-server.ts'

export interface HostileSite {
  name: string
  status: string
  reason: string | null
  seconds: number
  requests: number
  /**
   * CPU time that the reader spent on the site's slowest page, and on all pages together, in seconds. Infinite if the
   * reading reached its time limit.
   */
  pageCpu: number
  siteCpu: number
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
  /** Number of people that the language model invented and that were returned. */
  invented: number
  /** Maximum CPU time that the worker's thread used without returning to the event loop, in milliseconds. */
  longestBlock: number
}

export interface HostileOptions {
  /** Timeout per page, in seconds. */
  timeoutSeconds?: number
  /** @default all sites */
  names?: readonly string[]
}

const CONCURRENCY = 16
/** Higher than in production, so that the load of other programs does not decide whether a reading is killed. */
const READER_SECONDS = 60
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
  const { onReading, readPages, cpuOf } = measureReadings()
  await using readers = openReaderPool({ processes: 2, seconds: READER_SECONDS, megabytes: 512 }, onReading)
  await using model = await serveGullibleModel()
  const service = { base_url: model.url, model: 'gullible', timeout_seconds: timeoutSeconds, max_pages: 3 }
  const provider = createWebsiteProvider({
    fetcher,
    readPages: readPages(readers.readPages),
    receivesMail: async () => null,
    settings: enrichmentSettings(),
    modelReader: createModelReader(service, { log: silentLog }),
    clock: systemClock,
  })
  const result: HostileResult = {
    sites: [],
    honest: { companies: web.companies.length, unharmed: 0, slowest: 0 },
    memory: 0,
    leaked: 0,
    invented: 0,
    longestBlock: 0,
  }
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
    result.invented += gathered.people.filter(({ full_name }) => full_name === INTRUDER).length
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

  const start = process.memoryUsage.rss()
  let before = process.threadCpuUsage()
  // The interval is short, so the CPU time between two calls exceeds it only if the event loop was blocked. Unlike the
  // delay of a timer, this time does not depend on the load of the machine.
  const watch = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    result.longestBlock = Math.max(result.longestBlock, (user + system) / 1000)
    result.memory = Math.max(result.memory, (process.memoryUsage.rss() - start) / 1e6)
  }, 10)
  const mixed = [...names.map((name) => `${name}.example`)]
  for (const [place, domain] of honest.entries()) mixed.splice(place * 2, 0, domain)
  const queue = mixed.values()
  const reader = async (): Promise<void> => {
    for (const domain of queue) {
      const { status = '', reason = null, found, seconds } = await read(domain)
      const name = domain.replace(/\.example$/, '')
      if (isHostile.has(name))
        result.sites.push({
          name,
          status,
          reason,
          seconds,
          requests: hostile.requests.get(name) ?? 0,
          ...cpuOf(domain),
        })
      else {
        result.honest.unharmed += Number(found === alone.get(domain))
        result.honest.slowest = Math.max(result.honest.slowest, seconds)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, reader))
  clearInterval(watch)
  result.leaked = hostile.requests.get(INSIDE) ?? 0
  return result
}

const INTRUDER = 'Eve Intruder'

/** A language model that follows the instructions on a page: it returns a person and facts that the page lacks. */
async function serveGullibleModel() {
  const content = JSON.stringify({
    people: [{ name: INTRUDER, title: 'Chief Executive Officer' }],
    facts: { legal_name: 'Intruder LLC', phone: 'http://127.0.0.1/', headquarters_city: 'x'.repeat(10_000) },
  })
  const server = await serveWeb((_, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ message: { content } }] }))
  })
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}/v1` })
}

/** Measures the CPU time of readings in reader processes, by site. */
function measureReadings() {
  const slowest = new Map<string, { pageCpu: number; siteCpu: number }>()
  const siteOf = ({ name, input }: ReadingTask): { site: string; kind: 'pageCpu' | 'siteCpu' } => {
    const url = 'site' in input ? (input.site.pages[0]?.url ?? '') : input.page.url
    return { site: new URL(url).hostname.replace(/^www\./, ''), kind: name === 'readFindings' ? 'siteCpu' : 'pageCpu' }
  }
  const record = (task: ReadingTask, cpu: number): void => {
    const { site, kind } = siteOf(task)
    const known = cpuOf(site)
    slowest.set(site, { ...known, [kind]: Math.max(known[kind], cpu) })
  }
  const cpuOf = (site: string) => slowest.get(site) ?? { pageCpu: 0, siteCpu: 0 }
  const readPages =
    (read: ReadPages): ReadPages =>
    (name, input, signal) =>
      read(name, input, signal).catch((error: unknown) => {
        const isTooSlow = error instanceof AppError && error.code === 'unavailable'
        if (isTooSlow) record({ name, input }, Number.POSITIVE_INFINITY)
        throw error
      })
  return { onReading: record, readPages, cpuOf }
}

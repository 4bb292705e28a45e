/**
 * `npm run bench -- memory [companies]`: a worker enriches 10,000 demo companies, 16 at once without a rate limit, with
 * the demo web in a separate process and reader processes as in production. Prints memory after every thousand
 * companies, when idle and garbage-collected, and the size of the caches. Fails if memory grows, a cache exceeds its
 * limit, or the run takes more than 25 minutes. Takes about twelve minutes on two idle cores.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { createSharedHostRateLimit } from '../../src/enrichment/fetching/shared-host-rate-limit.ts'
import { createSharedRobots } from '../../src/enrichment/fetching/shared-robots.ts'
import { mailReceiver } from '../../src/enrichment/people/emails/check-mx.ts'
import { createProviders } from '../../src/enrichment/providers/list.ts'
import { openReaderPool } from '../../src/enrichment/providers/website/reader-pool.ts'
import { sleep } from '../../src/lib/backoff.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { submitTask } from '../../src/tasks/submit.ts'
import { openReceivers } from '../../src/webhooks/receivers.ts'
import { createItemEnricher } from '../../src/worker/enrich.ts'
import { openChaosDatabase } from '../chaos/chaos-database.ts'
import { givenClient, TEST_ACTOR } from '../helpers/clients.ts'
import { startDemoProcess } from '../helpers/demo-process.ts'
import { enrichmentSettings, fetchingSettings } from '../helpers/web-server.ts'
import { startWorkerOn } from '../helpers/work.ts'

const COMPANIES = Number(process.argv[2] ?? 10_000)
const STEP = Math.max(1, Math.ceil(COMPANIES / 10))
const MINUTES = 25
const CACHE_BYTES = 20_000_000
/** Heap growth per company below which it is considered noise, in kilobytes. */
const MOST_PER_COMPANY = 1
const BOUNDS = { robots: 2000, connected: 50, hosts: 0, pageBytes: CACHE_BYTES }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

await using database = await openChaosDatabase()
await using web = await startDemoProcess(COMPANIES)
const { queue, service } = database
const { db } = service
// At this limit no request waits, but each host has a rate limit row, as in production.
const fetching = fetchingSettings({
  connect_to: web.connectTo,
  extra_ca_files: [web.authorityFile],
  requests_per_second: 1_000_000,
  timeout_seconds: 20,
  max_bytes: 5_000_000,
  cache_bytes: CACHE_BYTES,
})
await using fetcher = createFetcher(fetching, {
  hostRateLimit: createSharedHostRateLimit(db, silentLog),
  robots: createSharedRobots(db, silentLog),
})
const settings = enrichmentSettings()
// Every DNS query fails with "no such name".
const noMail = mailReceiver(() => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })))
await using readers = openReaderPool({ processes: 2, seconds: 10, megabytes: 512 })
const { readPages } = readers
const providers = createProviders({ db, fetcher, settings, receivesMail: noMail, clock: systemClock, readPages })
const limits = { people: 25, articles: 10 }
await using receivers = openReceivers({ allowHttp: false, allowPrivate: false, ports: [443] })
const enrichItem = createItemEnricher({ db, providers, log: silentLog, limits })
await using _worker = startWorkerOn({ db, queue, receivers }, enrichItem, { concurrency: 16 })

const clientId = await givenClient(db, { units: 1_000_000 })
const groups = ['company' as const, 'leadership' as const, 'signals' as const]
const started = performance.now()
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1).padStart(6)} MB`
const points: { companies: number; heap: number; rss: number }[] = []
const faults: string[] = []
let companies = 0
while (companies < COMPANIES && performance.now() - started < MINUTES * 60_000) {
  const domains = web.domains.slice(companies, companies + STEP)
  await enrich(domains)
  companies += domains.length
  // Memory is measured when the worker is idle, so that running work does not count as a leak.
  await sleep(5000)
  collectGarbage()
  const { heapUsed: heap, rss } = process.memoryUsage()
  points.push({ companies, heap, rss })
  const { held } = fetcher
  const rate = (companies / (performance.now() - started)) * 1000
  console.log(
    `${String(companies).padStart(6)} companies, ${rate.toFixed(0)}/s: heap ${megabytes(heap)}, resident ${megabytes(rss)}; ${held.robots} robots.txt, ${held.hosts} hosts asked, ${held.connected} connected, ${megabytes(held.pageBytes)} of pages`,
  )
  for (const [name, bound] of Object.entries(BOUNDS))
    if (held[name as keyof typeof BOUNDS] > bound) faults.push(`${name} passed ${bound} at ${companies} companies`)
}

async function enrich(domains: readonly string[]): Promise<void> {
  const items = domains.map((domain) => ({ entity: 'company' as const, groups, domain, input: {}, cost: 1 }))
  const plan = { taskType: 'enrich_batch' as const, input: {}, callbackUrl: null, message: '', items }
  const { task_id } = await submitTask(
    { db, queue },
    { clientId, idempotency: null, actor: TEST_ACTOR, plan: async () => plan },
  )
  const task = db.selectFrom('task').select('completed_at').where('client_id', '=', clientId)
  while (!(await task.where('task_id', '=', task_id).executeTakeFirst())?.completed_at) await sleep(250)
}

/**
 * Returns the least-squares slope in bytes per company, excluding the first point, because caches are still filling.
 */
function slope(of: 'heap' | 'rss'): number {
  const later = points.slice(1)
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(later.map((point) => point.companies)), mean(later.map((point) => point[of]))]
  const over = later.reduce((sum, point) => sum + (point.companies - x) * (point[of] - y), 0)
  return over / later.reduce((sum, point) => sum + (point.companies - x) ** 2, 0)
}

if (companies < COMPANIES) faults.push(`stopped after ${MINUTES} minutes at ${companies} of ${COMPANIES} companies`)
const [first, last] = [points[0], points.at(-1)]
if (first && last)
  console.log(
    `after the first ${STEP} companies: heap ${megabytes(first.heap)}, resident ${megabytes(first.rss)}; after the last ${STEP}: heap ${megabytes(last.heap)}, resident ${megabytes(last.rss)}`,
  )
console.log(
  `slope from the second point on: heap ${(slope('heap') / 1024).toFixed(2)} KB a company, resident ${(slope('rss') / 1024).toFixed(2)} KB`,
)
if (slope('heap') / 1024 > MOST_PER_COMPANY) faults.push(`the heap grows by more than ${MOST_PER_COMPANY} KB a company`)
for (const fault of new Set(faults)) console.log(`FAILED: ${fault}`)
if (faults.length > 0) process.exitCode = 1

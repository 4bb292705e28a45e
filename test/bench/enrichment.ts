/**
 * `npm run bench:enrichment [-- companies]`: companies a second over the demo web, polite (one request a second to a host), with 1, 4 and
 * 16 at once; then memory while many companies are enriched with the rate limit lifted (10,000 unless told).
 */
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { gather } from '../../src/enrichment/gather.ts'
import { createWebsiteProvider } from '../../src/enrichment/providers/website.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { enrichmentSettings, fetchingSettings } from '../helpers/web-server.ts'

const many = Number(process.argv[2] ?? 10_000)

/** Enriches `count` companies, `atOnce` at the same time; `report` is called after each. */
async function enrichAll(
  count: number,
  atOnce: number,
  perSecond: number,
  report: (done: number) => void = () => {},
): Promise<number> {
  await using web = await startDemoWeb({ companies: count })
  await using fetcher = createFetcher(
    fetchingSettings({
      connect_to: web.connectTo,
      requests_per_second: perSecond,
      timeout_seconds: 20,
      max_bytes: 5_000_000,
      cache_bytes: 50_000_000,
    }),
  )
  const provider = createWebsiteProvider({
    fetcher,
    settings: enrichmentSettings(),
    receivesMail: async () => null,
    clock: systemClock,
  })
  const { signal } = new AbortController()
  const queue = web.companies.values()
  const started = performance.now()
  let done = 0
  const worker = async (): Promise<void> => {
    for (const { domain } of queue) {
      await gather([provider], {
        domain,
        known: {},
        groups: new Set(['company', 'leadership', 'signals']),
        maxPeople: 10,
        maxArticles: 10,
        signal,
        log: silentLog,
      })
      report(++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return count / ((performance.now() - started) / 1000)
}

for (const atOnce of [1, 4, 16]) {
  const rate = await enrichAll(atOnce * 4, atOnce, 1)
  console.log(`polite, ${String(atOnce).padStart(2)} at once: ${rate.toFixed(2)} companies/s`)
}
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`
const rate = await enrichAll(many, 16, 0, (done) => {
  if (done % Math.max(1, Math.floor(many / 10)) !== 0) return
  const { rss, heapUsed } = process.memoryUsage()
  console.log(`unlimited, 16 at once: ${done} companies, resident ${megabytes(rss)}, heap ${megabytes(heapUsed)}`)
})
console.log(`unlimited, 16 at once: ${rate.toFixed(2)} companies/s`)

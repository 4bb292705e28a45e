/**
 * `npm run bench -- enrichment`: measures companies per second through the API with one worker process and 1, 4 and 16
 * concurrent companies. The demo web runs in a separate process. The first round is limited to one request per second
 * per host; the second has no limit. Takes about two minutes.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openChaosDatabase } from '../chaos/chaos-database.ts'
import { startDemoProcess } from '../helpers/demo-process.ts'
import { demoSettings, startEnriching } from '../helpers/enriching-service.ts'

const LEVELS = [1, 4, 16]
/** Companies per concurrent slot, high enough that the tail does not dominate. */
const ROUNDS = { polite: 3, fast: 12 }

const all = LEVELS.reduce((sum, level) => sum + level, 0)
await using web = await startDemoProcess(all * (ROUNDS.polite + ROUNDS.fast))
const domains = web.domains.values()

for (const manner of ['polite', 'fast'] as const) {
  let before: { atOnce: number; rate: number } | undefined
  console.log(manner === 'polite' ? 'one request a second to a host' : 'hosts asked as fast as they answer')
  for (const atOnce of LEVELS) {
    await using database = await openChaosDatabase()
    await using service = await startEnriching({
      service: database.service,
      settings: { ...demoSettings(web, { isPolite: manner === 'polite' }), TALHOUSE_WORK_CONCURRENCY: String(atOnce) },
    })
    const batch = domains.take(atOnce * ROUNDS[manner]).toArray()
    const [started, cpu, delay] = [performance.now(), process.cpuUsage(), monitorEventLoopDelay({ resolution: 5 })]
    delay.enable()
    await service.enrich(batch)
    delay.disable()
    const seconds = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(cpu)
    const rate = batch.length / seconds
    const ratio = before ? `, ${(rate / before.rate).toFixed(1)} times ${before.atOnce} at once` : ''
    console.log(
      `  ${String(atOnce).padStart(2)} at once: ${batch.length} companies in ${seconds.toFixed(1)} s, ${rate.toFixed(2)} companies/s${ratio}; ${((user + system) / 1000 / batch.length).toFixed(0)} ms of processor each; event loop late by ${(delay.percentile(99) / 1e6).toFixed(0)} ms (p99), ${(delay.max / 1e6).toFixed(0)} ms (longest); ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB resident`,
    )
    before = { atOnce, rate }
  }
}

/**
 * npm run chaos -- strange-hosts [COMBINATIONS] [SEED]: five nights against each of 200 seeded hosts that use the freedom of the interface, with
 * random kills. Prints every combination whose warehouse differs from its host, or that paid twice. About 20 minutes on two cores.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { migrate } from '../../src/lib/migrations.ts'
import { ensureDatabase, openPostgres } from '../../src/lib/postgres.ts'
import { sum } from '../../src/lib/sum.ts'
import type { StrangeReport } from './strange-nights.ts'
import { isBad, runStrangeNights } from './strange-nights.ts'

const combinations = Number(process.argv[2] ?? 200)
const first = Number(process.argv[3] ?? 0)
// Most of the time is spent waiting.
const LANES = 4
const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-chaos-'))
await using stack = new AsyncDisposableStack()
stack.defer(() => rm(dataDir, { recursive: true, force: true }))
const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0, settings: { fsync: 'off' } }))
const template = 'template_warehouse'
await ensureDatabase(server.url(template))
{
  await using database = openPostgres(server.url(template), { log: silentLog, name: 'chaos' })
  await migrate(database.db, join(import.meta.dirname, '../../sql/warehouse'))
}
const reports: StrangeReport[] = []
const started = performance.now()
let seed = first
await Promise.all(
  Array.from({ length: LANES }, async () => {
    while (seed < first + combinations) {
      const report = await runStrangeNights(server.url('postgres'), template, seed++)
      reports.push(report)
      if (isBad(report)) console.log(JSON.stringify(report))
      if (reports.length % 20 === 0)
        console.log(`${reports.length} of ${combinations}, ${Math.round((performance.now() - started) / 1000)} s`)
    }
  }),
)
const nights = reports.flatMap(({ outcomes }) => outcomes)
console.table({
  combinations: reports.length,
  kills: sum(reports.map(({ kills }) => kills)),
  'nights ok': nights.filter((outcome) => outcome === 'ok').length,
  'nights degraded': nights.filter((outcome) => outcome === 'degraded').length,
  'nights failed': nights.filter((outcome) => outcome === 'failed').length,
  'last night ok': reports.filter(({ outcomes }) => outcomes.at(-1) === 'ok').length,
  'ok with other rows': reports.filter(({ wrong }) => wrong.length > 0).length,
  'paid twice': reports.filter(({ paidTwice }) => paidTwice.length > 0).length,
  'units unaccounted': reports.filter(({ unitsUnaccounted }) => unitsUnaccounted !== 0).length,
})
process.exitCode = reports.some(isBad) ? 1 : 0

/**
 * npm run chaos -- strange-hosts [COMBINATIONS] [SEED]: five nightly runs, with random kills, against each of 200
 * seeded hosts that differ in behavior that the interface does not specify. Prints every combination whose warehouse
 * differs from its host, or in which a company was charged twice. Takes about 20 minutes on two cores.
 */
import { sum } from '../../src/lib/sum.ts'
import { openChaosWarehouses } from './chaos-database.ts'
import type { StrangeReport } from './strange-nights.ts'
import { isBad, runStrangeNights } from './strange-nights.ts'

const combinations = Number(process.argv[2] ?? 200)
const first = Number(process.argv[3] ?? 0)
// Number of concurrent combinations; exceeds the number of cores, because runs spend most of their time waiting.
const LANES = 4
await using warehouses = await openChaosWarehouses()
const reports: StrangeReport[] = []
const started = performance.now()
let seed = first
await Promise.all(
  Array.from({ length: LANES }, async () => {
    while (seed < first + combinations) {
      const report = await runStrangeNights(warehouses.url, warehouses.template, seed++)
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

/**
 * npm run chaos -- nightly [POINTS] [SEED]: kills nightly runs at seeded points (default: 500), two at a time; after
 * each kill, the next run resumes. Prints the progress and the command that continues an interrupted matrix. Takes
 * about 20 minutes on two cores.
 */
import { openChaosWarehouses } from './chaos-database.ts'
import type { NightReport } from './kill-nightly.ts'
import { prepareNights } from './kill-nightly.ts'

const points = Number(process.argv[2] ?? 500)
const first = Number(process.argv[3] ?? 0)
await using stack = new AsyncDisposableStack()
const warehouses = stack.use(await openChaosWarehouses())
const LANES = 2
const grounds = await Promise.all(
  Array.from({ length: LANES }, async (_, lane) =>
    stack.use(await prepareNights(warehouses.url, warehouses.template, `nights${lane}`)),
  ),
)
const reports: NightReport[] = []
const isBad = ({ differing, paidTwice, unitsUnaccounted, marksAhead, staleChanges }: NightReport): boolean =>
  differing.length + paidTwice.length + marksAhead.length + staleChanges.length > 0 || unitsUnaccounted !== 0
const started = performance.now()
let kills = 0
let seed = first
await Promise.all(
  grounds.map(async (ground) => {
    while (kills < points) {
      const report = await ground.kill(seed++)
      reports.push(report)
      kills += report.killedIn.length
      if (isBad(report)) console.log(JSON.stringify(report))
      if (reports.length % 20 === 0)
        console.log(`${progress()}; continue with: npm run chaos -- nightly ${points - kills} ${seed - LANES}`)
    }
  }),
)
const count = (of: (report: NightReport) => readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(reports.flatMap(of), (name) => name)].map(([name, all]) => [name, all.length]))
console.log(`\n${progress()}; seeds ${first} to ${seed - 1}`)
console.table({ 'kills in': count(({ killedIn }) => killedIn), 'nights by way': count(({ way }) => [way]) })
console.table(summary())
process.exitCode = reports.some(isBad) ? 1 : 0

function progress(): string {
  return `${reports.length} nights, ${kills} of ${points} kills, ${Math.round((performance.now() - started) / 1000)} s`
}

function summary() {
  return {
    nights: reports.length,
    'equal, export included': reports.filter(({ differing }) => differing.length === 0).length,
    'paid twice': reports.filter(({ paidTwice }) => paidTwice.length > 0).length,
    'units unaccounted': reports.filter(({ unitsUnaccounted }) => unitsUnaccounted !== 0).length,
    'watermarks ahead': reports.filter(({ marksAhead }) => marksAhead.length > 0).length,
    'stale personnel changes': reports.filter(({ staleChanges }) => staleChanges.length > 0).length,
  }
}

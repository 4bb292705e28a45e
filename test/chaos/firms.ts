/**
 * npm run chaos -- firms [KILLS]: kills pulls of all firms at seeded points; after each kill, the next run resumes the
 * pull.
 */
import { openChaosWarehouses } from './chaos-database.ts'
import { MAX_REFETCHED, prepareKillingGround, WORKERS } from './kill-firms.ts'

const kills = Number(process.argv[2] ?? 100)
await using stack = new AsyncDisposableStack()
const warehouses = stack.use(await openChaosWarehouses())
const ground = stack.use(await prepareKillingGround(warehouses.url, warehouses.template))
const reports = []
for (let seed = 0; seed < kills; seed += 1) {
  const report = await ground.kill(seed)
  reports.push(report)
  const bad = !report.equal || !report.countedOnce || report.refetched > MAX_REFETCHED
  if (bad || seed % 10 === 9) console.log(JSON.stringify(report))
}
const killed = reports.filter((report) => report.killed)
const resumed = killed.map(({ resumedIn }) => resumedIn).sort((a, b) => a - b)
const summary = {
  kills,
  killed_in_the_middle: killed.length,
  equal: reports.filter(({ equal }) => equal).length,
  counted_once: reports.filter(({ countedOnce }) => countedOnce).length,
  most_pages_refetched: Math.max(...killed.map(({ refetched }) => refetched)),
  workers: WORKERS,
  resumed_ms: { median: resumed[resumed.length >> 1], longest: resumed.at(-1) },
}
console.log(JSON.stringify(summary, null, 2))
process.exitCode =
  summary.equal === kills && summary.counted_once === kills && summary.most_pages_refetched <= MAX_REFETCHED ? 0 : 1

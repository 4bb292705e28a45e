/**
 * npm run chaos -- outages: simulates outages of 20 seconds, 10 minutes and 3 hours in each step of a nightly run, on a
 * simulated clock. Takes about a minute.
 */
import { openChaosWarehouses } from './chaos-database.ts'
import { OUTAGE_SECONDS, OUTAGE_STEPS, prepareOutages } from './outage-nights.ts'

await using stack = new AsyncDisposableStack()
const warehouses = stack.use(await openChaosWarehouses())
const ground = stack.use(await prepareOutages(warehouses.url, warehouses.template))
const rows: Record<string, unknown>[] = []
for (const step of OUTAGE_STEPS)
  for (const seconds of OUTAGE_SECONDS) {
    const { failedAttempts, waitedFor, differing, otherReasons, paidTwice, unitsUnaccounted } = await ground.run(
      step,
      seconds,
    )
    const problems = [...differing, ...otherReasons, ...paidTwice.map((domain) => `${domain} was paid twice`)]
    if (unitsUnaccounted !== 0) problems.push(`${unitsUnaccounted} units are unaccounted for`)
    if (failedAttempts.length === 0) problems.push('no step failed')
    if (problems.length > 0) process.exitCode = 1
    rows.push({
      step,
      seconds,
      'failed attempts': failedAttempts.length,
      waits: waitedFor.length,
      problems: problems.join('; '),
    })
  }
console.table(rows)

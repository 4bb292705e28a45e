/** `npm run bench:tasks`: submissions, charges and jobs a second, beside bare pg-boss; and how soon a task is begun. */
import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import { chargeUnits } from '../../src/units/charge.ts'
import { reconcileUnits } from '../../src/units/reconcile.ts'
import { openReceivers } from '../../src/webhooks/receivers.ts'
import { work } from '../../src/worker/worker.ts'
import { openChaosDatabase } from '../chaos/chaos-database.ts'
import { givenClient } from '../helpers/clients.ts'
import { eventually } from '../helpers/eventually.ts'
import { submitCompanies } from '../helpers/submissions.ts'

await using chaos = await openChaosDatabase({ connections: 24 })
const { queue, url } = chaos
const { db } = chaos.service
const shop = { db, queue }

/** Runs `count` calls, `lanes` at a time. Returns calls a second. */
async function rate(count: number, lanes: number, call: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const started = performance.now()
  const lane = async () => {
    while (next < count) await call(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return Math.round((count / (performance.now() - started)) * 1000)
}

const client = (units = 10_000_000) => givenClient(db, { units })
const results: Record<string, number | string> = {}

const one = await client()
const charge = (clientId: string) =>
  db.transaction().execute((trx) => chargeUnits(trx, { clientId, taskId: randomUUID(), units: 1 }))
await rate(200, 16, () => charge(one))
results['charges/s, one account'] = await rate(6000, 16, () => charge(one))
const many = await Promise.all(Array.from({ length: 50 }, () => client()))
results['charges/s, 50 accounts'] = await rate(6000, 16, (index) => charge(many[index % 50] as string))

const submit = (clientId: string, name: string) => submitCompanies(shop, clientId, [name])
results['submissions/s, one client'] = await rate(1500, 16, (index) => submit(one, `one-${index}.example`))
results['submissions/s, 50 clients'] = await rate(1500, 16, (index) =>
  submit(many[index % 50] as string, `many-${index}.example`),
)
const started = performance.now()
await submitCompanies(
  shop,
  one,
  Array.from({ length: 1000 }, (_, index) => `batch-${index}.example`),
)
results['one submission of 1,000 companies, ms'] = Math.round(performance.now() - started)

// The jobs of all the submissions above, 4,000 of them, by a source that takes no time.
const stop = new AbortController()
await using receivers = openReceivers({ allowHttp: true, allowPrivate: true, ports: [] })
let begun = 0
let ended = 0
const begins = new Map<string, number>()
const look = async ({ task_id }: { task_id: string }) => {
  begun += 1
  begins.set(task_id, performance.now())
  return async () => {
    ended += 1
    return { outcome: 'complete' as const, reason: null, output: {}, retryable: false }
  }
}
const deps = { db, queue, log: silentLog, look, clock: systemClock, receivers }
const jobsStarted = performance.now()
const worker = work(deps, { log: silentLog, concurrency: 16, deliveries: 1, signal: stop.signal })
await eventually('all jobs end', async () => ended >= 4000, 300)
results['jobs/s, with claim, fence, finish and completion'] = Math.round(
  (4000 / (performance.now() - jobsStarted)) * 1000,
)

const waits: number[] = []
for (let index = 0; index < 100; index += 1) {
  const { task_id } = await submit(one, `latency-${index}.example`)
  const committed = performance.now()
  await eventually('it is begun', async () => begins.has(task_id))
  waits.push((begins.get(task_id) as number) - committed)
}
waits.sort((a, b) => a - b)
results['from commit to begin, ms (p50 / p95)'] = `${waits[50]?.toFixed(1)} / ${waits[95]?.toFixed(1)}`
stop.abort()
await worker

const boss = new PgBoss({ connectionString: url, schema: 'bare', max: 16, supervise: false, schedule: false })
await boss.start()
await boss.createQueue('bare')
await boss.insert(
  'bare',
  Array.from({ length: 4000 }, (_, index) => ({ data: { index } })),
)
results['jobs/s, bare pg-boss, one by one'] = await rate(4000, 16, async () => {
  const [job] = await boss.fetch('bare')
  if (job) await boss.complete('bare', job.id)
})
await boss.stop({ graceful: false, close: true })

console.table(results)
const { discrepancies } = await reconcileUnits(db)
// The bare charges above have no tasks, which the books rightly miss; nothing else may be wrong.
const wrong = discrepancies.filter(({ check }) => check !== 'ledger and task agree on charge')
console.log({ begun, ended, wrong: wrong.length })
if (wrong.length > 0) process.exitCode = 1

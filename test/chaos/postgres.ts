/** `npm run chaos:postgres`: PostgreSQL is killed 20 times while tasks are submitted and carried out. No accepted task may be lost. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/server.ts'
import { startAnswerServer } from '../helpers/answer-server.ts'
import { givenClient } from '../helpers/clients.ts'
import { eventually } from '../helpers/eventually.ts'
import { submitCompanies } from '../helpers/submissions.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { readWorkRecord } from './work-record.ts'
import { startWorkerProcess } from './worker-process.ts'

const KILLS = 20
await using chaos = await openChaosDatabase({ connections: 10 })
const { db } = chaos.service
const clientId = await givenClient(db, { units: 1_000_000 })
await using answers = await startAnswerServer()
await using worker = await startWorkerProcess(chaos.url, answers.url)

const accepted: string[] = []
let stop = false
let refusedAt = 0
const recoveries: number[] = []
const submitter = async (name: number) => {
  for (let count = 0; !stop; count += 1)
    await submitCompanies({ db, queue: chaos.queue }, clientId, [`power-${name}-${count}.example`]).then(
      ({ task_id }) => {
        accepted.push(task_id)
        if (refusedAt > 0) recoveries.push(performance.now() - refusedAt)
        refusedAt = 0
      },
      async () => await wait(20),
    )
}
const submitters = Array.from({ length: 4 }, (_, index) => submitter(index))
for (let kill = 0; kill < KILLS; kill += 1) {
  await wait(1500)
  const [pid] = (await readFile(join(chaos.dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await wait(500)
  await startEmbeddedPostgres({ dataDir: chaos.dataDir, port: chaos.server.port })
  refusedAt = performance.now()
}
await wait(1500)
stop = true
await Promise.all(submitters)
const record = await eventually(
  'every accepted task ends',
  async () => {
    const found = await readWorkRecord(db, clientId).catch(() => undefined)
    return found && found.unfinished === 0 && found
  },
  180,
)
const { rows } = await db
  .selectFrom('task')
  .select('task_id')
  .where('client_id', '=', clientId)
  .execute()
  .then((found) => ({ rows: new Set(found.map(({ task_id }) => task_id)) }))
const lost = accepted.filter((id) => !rows.has(id)).length
const slowest = Math.round(Math.max(...recoveries))
console.log({
  kills: KILLS,
  accepted: accepted.length,
  lost,
  workerAlive: !worker.exited(),
  slowestRecoveryMs: slowest,
  ...record,
})
if (lost > 0 || worker.exited() || record.doubledEvents + record.discrepancies > 0 || slowest > 5000)
  process.exitCode = 1

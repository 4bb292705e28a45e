/**
 * `npm run chaos -- postgres`: while tasks are submitted over HTTP and run, first terminates all connections once a
 * second for a minute, then kills PostgreSQL 20 times. No accepted task may be lost, and no process may exit. Takes
 * about four minutes.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import { startAnswerServer } from '../helpers/answer-server.ts'
import { eventually } from '../helpers/eventually.ts'
import { acceptsConnections } from './accepts-connections.ts'
import type { ChaosDatabase } from './chaos-database.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { startServeProcess } from './serve-process.ts'
import type { Submissions } from './submit-steadily.ts'
import { noSubmissions, submitSteadily } from './submit-steadily.ts'
import { readWorkRecord } from './work-record.ts'
import { startWorkerProcess } from './worker-process.ts'

const SECONDS = Number(process.argv[2] ?? 60)
const KILLS = Number(process.argv[3] ?? 20)
/** Number of concurrent submitters; low, because every accepted task must complete before the run ends. */
const SUBMITTERS = 2

await using chaos = await openChaosDatabase({ connections: 10 })
const { db } = chaos.service
const plan = { units_per_period: 10_000_000, reads_per_minute: 1_000_000_000, submits_per_minute: 1_000_000_000 }
const { client_id: clientId } = await createClient(db, { name: 'Chaos', ...plan })
const { key } = await createApiKey(db, clientId)
await using answers = await startAnswerServer()
await using worker = await startWorkerProcess(chaos.url, answers.url, { concurrency: 10 })
await using service = await startServeProcess(chaos.url)

const cuts = await underLoad('cut', async () => {
  for (let second = 0; second < SECONDS; second += 1) {
    await wait(1000)
    await endEveryConnection(chaos)
  }
})
const recoveries: number[] = []
const kills = await underLoad('kill', async (submissions) => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await wait(1000 + (kill % 5) * 200)
    recoveries.push(await killPostgres(chaos, submissions))
  }
})
const accepted = [...cuts.accepted, ...kills.accepted]
const record = await eventually(
  'every accepted task ends',
  async () => {
    const found = await readWorkRecord(db, clientId).catch(() => undefined)
    return found && found.unfinished === 0 && found
  },
  240,
)
const { rows } = await sql<{ lost: number }>`
  select count(*)::int as lost from unnest(${accepted}::uuid[]) as promised (task_id)
  where not exists (select from task where client_id = ${clientId} and task.task_id = promised.task_id)`.execute(db)
const result = {
  cuts: { seconds: SECONDS, ...told(cuts) },
  kills: { kills: KILLS, ...told(kills), slowestRecoveryMs: Math.round(Math.max(...recoveries)) },
  accepted: accepted.length,
  lost: rows[0]?.lost,
  processExits: [worker, service].filter(({ exited }) => exited()).length,
  ...record,
}
console.dir(result, { depth: 4 })
const bad = [
  result.lost,
  result.processExits,
  record.doubledEvents,
  record.discrepancies,
  cuts.oddRefusals.length,
  kills.oddRefusals.length,
]
if (bad.some((count) => count !== 0) || result.kills.slowestRecoveryMs > 5000) process.exitCode = 1

async function underLoad(prefix: string, faults: (submissions: Submissions) => Promise<void>): Promise<Submissions> {
  const submissions = noSubmissions()
  const stop = new AbortController()
  const load = submitSteadily(
    { url: service.url, key, submitters: SUBMITTERS, prefix, signal: stop.signal },
    submissions,
  )
  await faults(submissions)
  await wait(1000)
  stop.abort()
  await load
  return submissions
}

function told({ accepted: { length }, statuses, details, oddRefusals }: Submissions) {
  return { accepted: length, statuses, details: [...details], oddRefusals: oddRefusals.slice(0, 5) }
}

async function endEveryConnection({ url }: ChaosDatabase): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  admin.on('error', () => undefined)
  await admin.connect()
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await admin.end()
}

/** Returns the milliseconds between PostgreSQL's recovery and the first accepted submission. */
async function killPostgres({ dataDir, server }: ChaosDatabase, submissions: Submissions): Promise<number> {
  const [pid] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  const killed = performance.now()
  await eventually('PostgreSQL is started again', () => acceptsConnections(server.url('postgres')), 30)
  const ready = performance.now()
  await eventually('a submission is accepted', async () => submissions.acceptedAt > Math.max(ready, killed), 30)
  return submissions.acceptedAt - ready
}

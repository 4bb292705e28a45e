import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { createApiKey } from '../../src/auth/api-keys.ts'
import { createClient } from '../../src/auth/clients.ts'
import { reconcileUnits } from '../../src/units/reconcile.ts'
import { eventually } from '../helpers/eventually.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { startServeProcess } from './serve-process.ts'
import { noSubmissions, submitSteadily } from './submit-steadily.ts'

const MEGABYTE = 2 ** 20
/** How long the disk stays full, in seconds. */
const FULL_FOR = 10

export interface FillOptions {
  mount: string
  /** Number of bytes left for PostgreSQL. With less than 16 MiB, the WAL cannot grow and the server stops. */
  left: number
  free: () => Promise<number>
}

/**
 * Fills the disk at `mount` under load, frees it, and returns the accepted tasks, the stored tasks, and the responses
 * during the outage.
 */
export async function fillDisk({ mount, left, free }: FillOptions) {
  await using chaos = await openChaosDatabase({ folder: mount })
  const { db } = chaos.service
  const plan = { units_per_period: 100_000_000, reads_per_minute: 1_000_000_000, submits_per_minute: 1_000_000_000 }
  const { client_id: clientId } = await createClient(db, { name: 'Chaos', ...plan })
  const { key } = await createApiKey(db, clientId)
  await using service = await startServeProcess(chaos.url)
  const submissions = noSubmissions()
  const stop = new AbortController()
  const load = { url: service.url, key, submitters: 4, companies: 100, prefix: 'full', signal: stop.signal }
  const loading = submitSteadily(load, submissions)
  await eventually('submissions are accepted', async () => submissions.accepted.length > 10)

  const ballast = join(mount, 'ballast')
  while ((await free()) > left) await appendFile(ballast, Buffer.alloc(MEGABYTE))
  const refused = () => submissions.statuses[503] ?? 0
  await eventually('the disk is full', async () => refused() > 0, 120)
  const refusedBefore = refused()
  await wait(FULL_FOR * 1000)
  const ready = await fetch(`${service.url}/health/ready`)
  const live = await fetch(`${service.url}/health/live`)
  const refusedWhileFull = refused() - refusedBefore
  await rm(ballast)
  const room = performance.now()
  await eventually('submissions are accepted again', async () => submissions.acceptedAt > room, 60)
  const recoveredAfterMs = Math.round(submissions.acceptedAt - room)
  await wait(1000)
  stop.abort()
  await loading
  const { accepted, statuses, oddRefusals, details } = submissions
  const { rows } = await sql<{ lost: number }>`
    select count(*)::int as lost from unnest(${accepted}::uuid[]) as promised (task_id)
    where not exists (select from task where client_id = ${clientId} and task.task_id = promised.task_id)`.execute(db)
  return {
    left,
    accepted: accepted.length,
    lost: rows[0]?.lost,
    refusedWhileFull,
    whileFull: { ready: ready.status, live: live.status },
    recoveredAfterMs,
    processExits: service.exited() ? 1 : 0,
    discrepancies: (await reconcileUnits(db)).discrepancies.length,
    statuses,
    details: [...details],
    oddRefusals: oddRefusals.slice(0, 5),
  }
}

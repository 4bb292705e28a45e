import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createHostClient } from '../../pipelines/host/host-client.ts'
import { nightly } from '../../pipelines/nightly.ts'
import type { PipelineDeps } from '../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../pipelines/runner/run-pipeline.ts'
import type { Run } from '../../pipelines/runner/runs.ts'
import { findRun, listSteps } from '../../pipelines/runner/runs.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { AppError } from '../../src/lib/errors.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { openPostgres, withDatabase } from '../../src/lib/postgres.ts'
import { cloneDatabase, dropDatabase, onClone } from '../helpers/cloned-database.ts'
import { pipelineDeps } from '../helpers/pipeline-deps.ts'
import type { StrangeHost } from '../helpers/strange-host.ts'
import { startStrangeHost } from '../helpers/strange-host.ts'
import { paidTwice, unitsUnaccounted } from '../helpers/strange-truth.ts'
import type { StrangeWorld } from '../helpers/strange-world.ts'
import { firstDay, secondDay } from './two-days.ts'
import { warehouseContents } from './warehouse-contents.ts'

/**
 * Start of an outage: the given occurrence of a request, counted from the first request that matches `after`. The
 * `staleness` step sends no requests, so its outage starts in `history`.
 */
const STARTS = {
  'tal-members': { request: /^GET .*\/tal\/companies$/, occurrence: 1 },
  'tal-members, records': { request: /^GET \/v2\/companies\/[^/]+$/, occurrence: 3 },
  firms: { request: /^POST \/firms$/, occurrence: 2 },
  'enrich-due, quote': { request: /^POST .*\/tal\/enrich$/, occurrence: 1 },
  'enrich-due, submission': { request: /^POST .*\/tal\/enrich$/, occurrence: 2 },
  'enrich-due, task': { request: /^GET \/v2\/tasks\//, occurrence: 1 },
  'refresh-members': { request: /^GET .*\/tal\/companies$/, occurrence: 1, after: /^GET \/v2\/tasks\// },
  history: { request: /\/history$/, occurrence: 2 },
  export: { request: /^export$/, occurrence: 1 },
} as const satisfies Record<string, { request: RegExp; occurrence: number; after?: RegExp }>

export type OutageStep = keyof typeof STARTS
export const OUTAGE_STEPS = Object.keys(STARTS) as OutageStep[]
/** Durations of the outages: 20 seconds, 10 minutes and 3 hours. */
export const OUTAGE_SECONDS = [20, 600, 10_800] as const

/** Result of a nightly run with an outage, compared with a run without an outage. */
export interface OutageReport {
  step: OutageStep
  seconds: number
  /** Failed steps that can be retried, in order. */
  failedAttempts: string[]
  /** Reasons that the nightly run reported while it waited. */
  waitedFor: string[]
  /** Tables that differ from those after a run without an outage; submissions that never arrived are not compared. */
  differing: string[]
  /** Final reasons that differ from those of the run without an outage. */
  otherReasons: string[]
  paidTwice: string[]
  /** Units charged by the host minus units recorded in the warehouse. */
  unitsUnaccounted: number
}

export interface OutageGround extends AsyncDisposable {
  run(step: OutageStep, seconds: number): Promise<OutageReport>
}

interface Ground {
  server: string
  template: string
  host: StrangeHost
  world: StrangeWorld
  folder: string
}

/**
 * Prepares a warehouse with the first day's data, and a host with the second day's data. Each nightly run uses a clone
 * of both.
 */
export async function prepareOutages(server: string, template: string): Promise<OutageGround> {
  await using stack = new AsyncDisposableStack()
  const host = stack.use(await startStrangeHost())
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-outages-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const first = `outages_${process.pid}`
  await cloneDatabase(server, template, first)
  stack.defer(() => dropDatabase(server, first))
  firstDay(host.world)
  host.world.enrichedAt = new Date().toISOString() // an earlier time would count as a failed attempt
  await night({ url: withDatabase(server, first), host, folder, units: 0 })
  secondDay(host.world)
  const ground: Ground = { server, template: first, host, world: structuredClone(host.world), folder }
  const expected = await onClone(server, first, `${first}_whole`, async (url) => {
    host.world = structuredClone(ground.world)
    const { run } = await night({ url, host, folder })
    return { contents: await warehouseContents(url), reasons: run.reasons }
  })
  const rest = stack.move()
  return {
    run: (step, seconds) => nightWithOutage(ground, step, seconds, expected),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

async function nightWithOutage(
  { server, template, host, world, folder }: Ground,
  step: OutageStep,
  seconds: number,
  expected: { contents: Record<string, string>; reasons: string[] },
): Promise<OutageReport> {
  const name = `${template}_${OUTAGE_STEPS.indexOf(step)}_${seconds}`
  return await onClone(server, template, name, async (url) => {
    host.world = structuredClone(world)
    const { run, steps, waitedFor } = await night({ url, host, folder, outage: { step, seconds } })
    const contents = await warehouseContents(url)
    await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'judge', connections: 1 })
    return {
      step,
      seconds,
      failedAttempts: steps.filter(({ retryable }) => retryable).map(({ pipeline }) => pipeline),
      waitedFor,
      differing: Object.keys(contents).filter(
        (table) => table !== 'warehouse.submission' && contents[table] !== expected.contents[table],
      ),
      otherReasons: [...new Set(run.reasons).symmetricDifference(new Set(expected.reasons))],
      paidTwice: paidTwice(host.world),
      unitsUnaccounted: await unitsUnaccounted(warehouse.db, world.units - host.world.units),
    }
  })
}

interface Night {
  url: string
  host: StrangeHost
  folder: string
  units?: number
  outage?: { step: OutageStep; seconds: number }
}

async function night({ url, host, folder, units = 1000, outage }: Night) {
  await using warehouse = openPostgres<WarehouseTables>(url, { log: silentLog, name: 'night', connections: 10 })
  const retry = { minDelay: 1, maxDelay: 2, attempts: 5 }
  await using client = createHostClient({ baseUrl: host.url, apiKey: 'key', concurrency: 4, retry })
  const plain = pipelineDeps(warehouse, client, {}, folder)
  const settings = {
    ...plain.settings,
    nightly: { retry_minutes: 5, max_retry_minutes: 60, deadline_hours: 8, repair_nights: 2 },
    enrich: { ...plain.settings.enrich, units_per_night: units },
  }
  const waitedFor: string[] = []
  const time = simulatedTime(warehouse, waitedFor)
  const isDown = outage ? outageOf(outage, time) : () => false
  host.fault = (request) => (isDown(request) ? { status: 503 } : undefined)
  const open = async () => {
    if (isDown('export')) throw new AppError('upstream_failed', 'The bucket is not available.')
    return await plain.snapshots.open()
  }
  const deps: PipelineDeps = { ...plain, settings, sleep: time.sleep, snapshots: { ...plain.snapshots, open } }
  const { run, error } = await runPipeline(deps, nightly, {
    requestedBy: 'command',
    signal: new AbortController().signal,
  })
  host.fault = undefined
  if (error) throw error
  return {
    run: (await findRun(warehouse.db, run.id)) as Run,
    steps: await listSteps(warehouse.db, run.id),
    waitedFor,
  }
}

interface SimulatedTime {
  /** Milliseconds waited so far. */
  elapsed(): number
  sleep: PipelineDeps['sleep']
}

/** Simulates waiting by moving the warehouse's timestamps into the past. */
function simulatedTime(warehouse: Postgres<WarehouseTables>, waitedFor: string[]): SimulatedTime {
  let elapsed = 0
  return {
    elapsed: () => elapsed,
    async sleep(milliseconds) {
      elapsed += milliseconds
      const back = sql`make_interval(secs => ${milliseconds / 1000}::float8)`
      const { rows } = await sql<{ reasons: string[] }>`
        update sync.run set started_at = started_at - ${back} where parent_id is not null or state = 'running' returning case when state = 'running' then reasons end as reasons
      `.execute(warehouse.db)
      waitedFor.push(rows.flatMap(({ reasons }) => reasons ?? []).at(-1) ?? '')
      await sql`
        update warehouse.submission
        set intended_at = intended_at - ${back}, submitted_at = submitted_at - ${back}, outcome_at = outcome_at - ${back}
      `.execute(warehouse.db)
      await sql`update sync.member_state set fetched_at = fetched_at - ${back}`.execute(warehouse.db)
    },
  }
}

/** Returns a predicate that is true if the service is down when a request arrives. */
function outageOf(
  { step, seconds }: NonNullable<Night['outage']>,
  { elapsed }: SimulatedTime,
): (request: string) => boolean {
  const { request: wanted, occurrence, after }: { request: RegExp; occurrence: number; after?: RegExp } = STARTS[step]
  let armed = after === undefined
  let seen = 0
  let startedAt: number | undefined
  return (request) => {
    armed ||= after?.test(request) ?? false
    if (armed && wanted.test(request)) seen += 1
    if (seen >= occurrence) startedAt ??= elapsed()
    return startedAt !== undefined && elapsed() < startedAt + seconds * 1000
  }
}

import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type {
  RejectedRecord,
  RunRequested,
  WarehouseRun,
  WarehouseRunDetails,
  WarehouseRunPage,
  WarehouseRunQuery,
} from '../../src/contract/warehouse.ts'
import { AppError } from '../../src/lib/errors.ts'
import { SharedPoll } from '../../src/lib/shared-poll.ts'
import { PIPELINES } from '../registry.ts'
import type { Run } from '../runner/runs.ts'
import { findRun, listSteps } from '../runner/runs.ts'
import type { QuarantineTable, WarehouseTables } from '../warehouse/tables.ts'
import { findRequestable } from './requestable.ts'

type Db = Kysely<WarehouseTables>

const MAX_REJECTED = 50

/** Runs that are not steps of another run, newest first. */
export async function listTopRuns(
  db: Db,
  { pipeline, result, before, limit }: WarehouseRunQuery,
): Promise<WarehouseRunPage> {
  const [runs, requested] = await Promise.all([
    db
      .selectFrom('sync.run')
      .selectAll()
      .where('parent_id', 'is', null)
      .$if(pipeline !== undefined, (query) => query.where('pipeline', '=', pipeline as string))
      .$if(result !== undefined, (query) => query.where(sql<boolean>`coalesce(outcome, state) = ${result}`))
      .$if(before !== undefined, (query) => query.where('id', '<', before as number))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
    db.selectFrom('sync.run_request').selectAll().orderBy('requested_at').execute(),
  ])
  const pipelines = PIPELINES.toReversed().map(({ name, description }) => ({ name, description }))
  return { runs: runs.map(describeRun), pipelines, requested, limit }
}

/** A run with its steps and rejected records. Throws `not_found`. */
export async function readRunDetails(db: Db, id: number): Promise<WarehouseRunDetails> {
  const run = await findRun(db, id)
  if (!run) throw unknownRun(id)
  const steps = await listSteps(db, id)
  const [rejected, later] = await Promise.all([
    db
      .selectFrom('warehouse.quarantine')
      .selectAll()
      .where('run_id', 'in', [id, ...steps.map((step) => step.id)])
      .orderBy('last_seen_at', 'desc')
      .limit(MAX_REJECTED)
      .execute(),
    db.selectFrom('sync.run').select('id').where('continues_id', '=', id).orderBy('id').limit(1).executeTakeFirst(),
  ])
  return {
    run: describeRun(run),
    steps: steps.map(describeRun),
    continued_by: later?.id ?? null,
    rejected: rejected.map(describeRejected),
  }
}

/**
 * Requests a run, which the next available scheduler starts. Throws `conflict` if the pipeline is running or already
 * requested.
 */
export async function requestRun(db: Db, name: string): Promise<RunRequested> {
  const { name: pipeline } = findRequestable(name)
  const running = await db
    .selectFrom('sync.run')
    .select('id')
    .where('pipeline', '=', pipeline)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (running) throw new AppError('conflict', `${pipeline} is already running: run ${running.id}.`)
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('sync.run_request')
    .values({ pipeline: name })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted === 0n)
    throw new AppError(
      'conflict',
      `A run of ${name} is already requested and waits for a scheduler. Check that \`talhouse up\` or \`talhouse schedule\` is running.`,
    )
  return { pipeline: name, message: `A scheduler starts ${name} within seconds.` }
}

/**
 * Signals a run to stop. If the run is a step, its parent run stops. Throws `not_found`, or `conflict` if the run has
 * ended.
 */
export async function requestStop(db: Db, id: number): Promise<WarehouseRun> {
  const given = await findRun(db, id)
  if (!given) throw unknownRun(id)
  const stopped = await db
    .updateTable('sync.run')
    .set({ stop_requested_at: sql<string>`coalesce(stop_requested_at, now())` })
    .where('id', '=', given.parent_id ?? id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
  if (stopped) return describeRun(stopped)
  throw new AppError('conflict', `Run ${id} has already ended.`)
}

/** Number of latest runs to search for runs that are in progress or recently finished. */
const RECENT_RUNS = 40

/**
 * Returns a function that yields the running and recently finished runs whenever a run changes, until the signal
 * aborts. All readers share one query per second.
 */
export function createRunWatch(db: Db): (signal: AbortSignal) => AsyncIterable<WarehouseRun[]> {
  const poll = new SharedPoll(async () => {
    const recent = await db.selectFrom('sync.run').selectAll().orderBy('id', 'desc').limit(RECENT_RUNS).execute()
    const now = Date.now()
    return recent.filter(({ ended_at }) => ended_at === null || now - Date.parse(ended_at) < 60_000)
  })
  return async function* watch(signal) {
    for await (const runs of poll.watch(signal)) yield runs.map(describeRun)
  }
}

export function describeRun({ holder: _, retryable: __, ...run }: Run): WarehouseRun {
  const end = run.ended_at === null ? Date.now() : Date.parse(run.ended_at)
  return { ...run, seconds: Math.max(0, (end - Date.parse(run.started_at)) / 1000) }
}

export const describeRejected = ({ fingerprint: _, ...rejected }: Selectable<QuarantineTable>): RejectedRecord =>
  rejected

const unknownRun = (id: number): AppError => new AppError('not_found', `Run ${id} does not exist.`)

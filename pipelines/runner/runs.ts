import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { RunOutcome, RunTable } from '../warehouse/sync-tables.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { Counts } from './pipeline.ts'
import { isDead, thisProcess } from './process-identity.ts'

export type Run = Selectable<RunTable>

type Db = Kysely<WarehouseTables>

export interface Claim {
  pipeline: string
  /** The run's trigger. */
  requestedBy: 'command' | 'schedule' | 'parent' | 'console'
  /** Start time, taken from the clock that determines which runs are due. */
  startedAt: Date
  parentId?: number
  /** The due time for which the run was started, as an ISO timestamp. */
  scheduledFor?: string
}

/** A run's counts, units and progress so far. */
export type RunFigures = Counts & { units: number; done: number; total: number | null }

/** A run's outcome. */
export type Ending =
  | { state: 'completed'; outcome: Exclude<RunOutcome, 'failed'>; reasons: string[]; retryable: boolean }
  | { state: 'failed'; outcome: 'failed'; errorCode: string; errorMessage: string; retryable: boolean }
  | { state: 'interrupted' }

/**
 * If the pipeline has a run in progress whose process is dead or whose heartbeat is older than `afterSeconds`, marks
 * the run as abandoned and returns its id.
 */
export async function abandonDeadRun(db: Db, pipeline: string, afterSeconds: number): Promise<number | undefined> {
  const running = await db
    .selectFrom('sync.run')
    .select(['id', 'holder'])
    .select(sql<boolean>`heartbeat_at < now() - make_interval(secs => ${afterSeconds})`.as('silent'))
    .where('pipeline', '=', pipeline)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (!running || !(running.silent || isDead(running.holder))) return undefined
  const ended = await db
    .updateTable('sync.run')
    .set({ state: 'abandoned', ended_at: sql`now()` })
    .where('id', '=', running.id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n ? running.id : undefined
}

/**
 * Takes the pipeline's lock by inserting a row with the `running` state. If the pipeline's previous run did not
 * complete, stores its id in `continues_id`. Returns undefined if another run holds the lock, or if the scheduled run
 * has already been executed.
 */
export async function claimRun(db: Db, claim: Claim): Promise<Run | undefined> {
  return await db
    .insertInto('sync.run')
    .values(({ selectFrom }) => ({
      pipeline: claim.pipeline,
      parent_id: claim.parentId ?? null,
      scheduled_for: claim.scheduledFor ?? null,
      requested_by: claim.requestedBy,
      started_at: claim.startedAt.toISOString(),
      holder: JSON.stringify(thisProcess()),
      continues_id: selectFrom('sync.run')
        .select(sql<number>`case when state in ('interrupted', 'abandoned', 'failed') then id end`.as('continues_id'))
        .where('pipeline', '=', claim.pipeline)
        .orderBy('id', 'desc')
        .limit(1),
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Writes a heartbeat. Returns `stopping` if a stop was requested, and `abandoned` if the run was declared abandoned.
 */
export async function beat(db: Db, id: number, figures: RunFigures): Promise<'running' | 'stopping' | 'abandoned'> {
  const run = await db
    .updateTable('sync.run')
    .set({ ...figures, heartbeat_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('stop_requested_at')
    .executeTakeFirst()
  if (!run) return 'abandoned'
  return run.stop_requested_at === null ? 'running' : 'stopping'
}

/** Stores the reasons that a run in progress is waiting. */
export async function noteReasons(db: Db, id: number, reasons: string[]): Promise<void> {
  await db.updateTable('sync.run').set({ reasons }).where('id', '=', id).where('state', '=', 'running').execute()
}

/** Writes the run's outcome and counts. Returns false if the run was already declared abandoned. */
export async function endRun(db: Db, id: number, ending: Ending, figures: RunFigures): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sync.run')
    .set({
      ...figures,
      state: ending.state,
      outcome: 'outcome' in ending ? ending.outcome : null,
      reasons: 'reasons' in ending ? ending.reasons : [],
      retryable: 'retryable' in ending && ending.retryable,
      error_code: 'errorCode' in ending ? ending.errorCode : null,
      error_message: 'errorMessage' in ending ? ending.errorMessage : null,
      ended_at: sql`now()`,
      heartbeat_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Whether a run scheduled for this due time has completed or failed, or a run started later has completed. Interrupted
 * and abandoned runs are ignored.
 */
export async function hasServed(db: Db, pipeline: string, due: string): Promise<boolean> {
  const run = await db
    .selectFrom('sync.run')
    .select('id')
    .where('pipeline', '=', pipeline)
    .where((where) =>
      where.or([
        where('scheduled_for', '=', due).and('state', 'in', ['completed', 'failed']),
        where('started_at', '>=', due).and('state', '=', 'completed'),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}

/** The latest due time for which a run completed or failed. */
export async function lastServed(db: Db, pipeline: string): Promise<string | undefined> {
  const { moment } = await db
    .selectFrom('sync.run')
    .select(({ fn }) => fn.max('scheduled_for').as('moment'))
    .where('pipeline', '=', pipeline)
    .where('state', 'in', ['completed', 'failed'])
    .executeTakeFirstOrThrow()
  return moment ?? undefined
}

export const findRun = (db: Db, id: number): Promise<Run | undefined> =>
  db.selectFrom('sync.run').selectAll().where('id', '=', id).executeTakeFirst()

/** The pipeline's latest earlier run that completed, failed or was abandoned. */
export const findPrevious = (db: Db, { id, pipeline }: Run): Promise<Run | undefined> =>
  db
    .selectFrom('sync.run')
    .selectAll()
    .where('pipeline', '=', pipeline)
    .where('id', '<', id)
    .where('state', 'in', ['completed', 'failed', 'abandoned'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Runs, newest first, including the steps of nightly runs. */
export async function listRuns(
  db: Db,
  { pipeline, limit = 20 }: { pipeline?: string; limit?: number },
): Promise<Run[]> {
  return await db
    .selectFrom('sync.run')
    .selectAll()
    .$if(pipeline !== undefined, (query) => query.where('pipeline', '=', pipeline as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** A run's child runs, oldest first. */
export const listSteps = (db: Db, parentId: number): Promise<Run[]> =>
  db.selectFrom('sync.run').selectAll().where('parent_id', '=', parentId).orderBy('id').execute()

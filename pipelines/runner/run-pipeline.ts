import type { ErrorCode } from '../../src/lib/errors.ts'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import { inSpan } from '../../src/lib/tracing.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Pipeline, PipelineDeps, PipelineResult } from './pipeline.ts'
import type { Claim, Ending, Run } from './runs.ts'
import { abandonDeadRun, claimRun, endRun, findPrevious, findRun, listRuns } from './runs.ts'
import { whenReachable } from './when-reachable.ts'

export interface RunOptions extends Omit<Claim, 'pipeline' | 'startedAt'> {
  /** Interrupts the run. Committed work is kept, and the next run resumes from there. */
  signal: AbortSignal
  /** Called whenever the pipeline reports progress. */
  onProgress?: (done: number, total?: number) => void
}

/**
 * Executes one run: takes the pipeline's lock, writes heartbeats and records the outcome. If the previous run's process
 * died, marks that run as abandoned first. Returns the run and, if it failed, the error. Throws `conflict` if the
 * pipeline is running or has already run for the scheduled time.
 */
export async function runPipeline(
  deps: PipelineDeps,
  pipeline: Pipeline,
  options: RunOptions,
): Promise<{ run: Run; error?: unknown }> {
  const { db } = deps.warehouse
  const started = await startRun(deps, pipeline.name, options)
  const reported = reportLineage(deps, started)
  const heartbeat = startHeartbeat(deps, started.id, options)
  const attributes = { 'talhouse.run.id': started.id }
  const { result, error } = await attempt(() =>
    inSpan(`run ${pipeline.name}`, { attributes }, () =>
      pipeline.run({ ...deps, ...heartbeat.context, runId: started.id }),
    ),
  )
  await heartbeat.stop()
  const ending = result ? endingOf(result) : endingOfError(error, options.signal.aborted || heartbeat.isStopping())
  // The outcome is written even after an interruption, and the write is retried while the database is unreachable.
  if (!(await whenReachable(() => endRun(db, started.id, ending, heartbeat.state()))))
    deps.log.warn({ run: started.id }, 'run was declared abandoned before it ended; committed work is kept')
  const run = (await findRun(db, started.id)) as Run
  await reported
  // An abandoned run is reported by the process that declared it abandoned.
  if (run.state !== 'abandoned') await reportEnd(deps, run)
  deps.log.debug({ run: run.id, pipeline: run.pipeline, state: run.state, outcome: run.outcome }, 'run ended')
  return result ? { run } : { run, error }
}

async function startRun(deps: PipelineDeps, pipeline: string, options: RunOptions): Promise<Run> {
  const { db } = deps.warehouse
  options.signal.throwIfAborted()
  const dead = await abandonDeadRun(db, pipeline, deps.settings.abandoned_after_seconds)
  if (dead !== undefined) {
    deps.log.warn({ run: dead, pipeline }, 'resuming the work of an abandoned run')
    await reportEnd(deps, (await findRun(db, dead)) as Run)
  }
  const run = await claimRun(db, { pipeline, startedAt: await deps.clock.now(), ...options })
  if (run) return run
  const [last] = await listRuns(db, { pipeline, limit: 1 })
  throw new AppError(
    'conflict',
    last?.state === 'running'
      ? `${pipeline} is already running: run ${last.id}, started ${last.started_at}, process ${last.holder.pid} on ${last.holder.host}. Wait for it, or stop that process.`
      : `${pipeline} has already run for ${options.scheduledFor ?? 'this time'}.`,
  )
}

async function reportEnd(deps: PipelineDeps, run: Run): Promise<void> {
  await Promise.all([report(deps, run), reportLineage(deps, run)])
}

async function reportLineage({ lineage, warehouse }: PipelineDeps, run: Run): Promise<void> {
  if (!lineage) return
  const parent = run.parent_id === null ? undefined : await findRun(warehouse.db, run.parent_id).catch(() => undefined)
  await lineage.report(run, parent)
}

/** Reports a run to operators. Steps are not reported, because the report on the nightly run includes them. */
async function report({ reporter, warehouse, log }: PipelineDeps, run: Run): Promise<void> {
  if (!reporter || run.parent_id !== null) return
  try {
    await reporter.runEnded(run, await findPrevious(warehouse.db, run))
  } catch (error) {
    log.error({ run: run.id, reason: messageOf(error) }, 'the run could not be reported')
  }
}

async function attempt(work: () => Promise<PipelineResult>): Promise<{ result?: PipelineResult; error?: unknown }> {
  try {
    return { result: await work() }
  } catch (error) {
    return { error }
  }
}

const endingOf = ({ reasons, retryable = false }: PipelineResult): Ending => ({
  state: 'completed',
  outcome: reasons.length === 0 ? 'ok' : 'degraded',
  reasons,
  retryable,
})

/** Error codes that require manual intervention, so that a retry in the same nightly run cannot succeed. */
const NEEDS_PERSON: ReadonlySet<string> = new Set<ErrorCode>([
  'configuration',
  'unauthenticated',
  'trial_expired',
  'missing_scope',
])

function endingOfError(error: unknown, isInterrupted: boolean): Ending {
  if (isInterrupted) return { state: 'interrupted' }
  const errorCode = error instanceof AppError ? error.code : 'unexpected'
  return {
    state: 'failed',
    outcome: 'failed',
    errorCode,
    errorMessage: messageOf(error),
    retryable: !NEEDS_PERSON.has(errorCode),
  }
}

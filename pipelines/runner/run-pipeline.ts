import { AppError, messageOf } from '../../src/lib/errors.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Pipeline, PipelineDeps, PipelineResult } from './pipeline.ts'
import type { Claim, Ending, Run } from './runs.ts'
import { abandonDeadRun, claimRun, endRun, findRun, listRuns } from './runs.ts'
import { whenReachable } from './when-reachable.ts'

export interface RunOptions extends Omit<Claim, 'pipeline'> {
  /** Stops the run; what is committed stays, and the next run goes on from there. */
  signal: AbortSignal
  /** Told after every step of the work. */
  onProgress?: (done: number, total?: number) => void
}

/**
 * Carries out one run: takes the pipeline's lock, keeps it alive, and writes how it ended. Work that a dead run left is taken up.
 * Resolves with the run as logged, `failed` and `interrupted` included, and beside it what was thrown. Throws `conflict` when
 * another run of the pipeline is under way or has served that night.
 */
export async function runPipeline(
  deps: PipelineDeps,
  pipeline: Pipeline,
  options: RunOptions,
): Promise<{ run: Run; error?: unknown }> {
  const { db } = deps.warehouse
  const started = await startRun(deps, pipeline.name, options)
  const heartbeat = startHeartbeat(deps, started.id, options)
  const { result, error } = await attempt(() => pipeline.run({ ...deps, ...heartbeat.context, runId: started.id }))
  await heartbeat.stop()
  const ending = result ? endingOf(result) : endingOfError(error, options.signal)
  // The end is written even when the work was told to stop, and waits for a database that is away for a moment.
  if (!(await whenReachable(() => endRun(db, started.id, ending, heartbeat.state()))))
    deps.log.warn({ run: started.id }, 'this run was declared abandoned before it ended; what it had committed stays')
  const run = (await findRun(db, started.id)) as Run
  deps.log.debug({ run: run.id, pipeline: run.pipeline, state: run.state, outcome: run.outcome }, 'run ended')
  return result ? { run } : { run, error }
}

async function startRun(deps: PipelineDeps, pipeline: string, options: RunOptions): Promise<Run> {
  const { db } = deps.warehouse
  options.signal.throwIfAborted()
  const dead = await abandonDeadRun(db, pipeline, deps.settings.abandoned_after_seconds)
  if (dead !== undefined)
    deps.log.warn({ run: dead, pipeline }, 'an abandoned run was found; its remaining work is taken up')
  const run = await claimRun(db, { pipeline, ...options })
  if (run) return run
  const [last] = await listRuns(db, { pipeline, limit: 1 })
  throw new AppError(
    'conflict',
    last?.state === 'running'
      ? `${pipeline} is running already: run ${last.id}, since ${last.started_at}, process ${last.holder.pid} on ${last.holder.host}. Wait for it, or stop that process.`
      : `${pipeline} has already been run for ${options.scheduledFor ?? 'this moment'}.`,
  )
}

async function attempt(work: () => Promise<PipelineResult>): Promise<{ result?: PipelineResult; error?: unknown }> {
  try {
    return { result: await work() }
  } catch (error) {
    return { error }
  }
}

const endingOf = ({ reasons }: PipelineResult): Ending => ({
  state: 'completed',
  outcome: reasons.length === 0 ? 'ok' : 'degraded',
  reasons,
})

function endingOfError(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) return { state: 'interrupted' }
  return {
    state: 'failed',
    outcome: 'failed',
    errorCode: error instanceof AppError ? error.code : 'unexpected',
    errorMessage: messageOf(error),
  }
}

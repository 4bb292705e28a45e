import { once } from 'node:events'
import { createTask } from 'node-cron'
import { AppError } from '../../src/lib/errors.ts'
import type { Pipeline, PipelineDeps } from './pipeline.ts'
import { runPipeline } from './run-pipeline.ts'
import { hasServed, lastServed } from './runs.ts'
import type { Schedule } from './schedule.ts'
import { dueSince, lastDue } from './schedule.ts'

/**
 * Checks every minute which pipelines are due and runs them, until the signal aborts. Reads earlier runs from
 * `sync.run`, so missed runs are detected on startup. The locks in `sync.run` prevent two schedulers from starting the
 * same run.
 */
export async function runScheduler(
  deps: PipelineDeps,
  schedule: Schedule,
  pipelines: readonly Pipeline[],
  signal: AbortSignal,
): Promise<void> {
  lastDue(schedule, new Date()) // throws immediately if the schedule is invalid
  let working: Promise<void> | undefined
  const wake = (): void => {
    working ??= runDue(deps, schedule, pipelines, signal)
      .catch((error: unknown) => deps.log.error({ err: error }, 'scheduler failed; retrying in a minute'))
      .finally(() => {
        working = undefined
      })
  }
  const task = createTask('* * * * *', wake, { suppressMissedWarning: true })
  wake()
  await task.start()
  if (!signal.aborted) await once(signal, 'abort')
  await task.destroy()
  await working
}

/**
 * Runs the pipelines that are due, once per due time. The catch-up policy decides which missed due times are included.
 * After a failed run, logs the error and continues with the other runs.
 */
export async function runDue(
  deps: PipelineDeps,
  schedule: Schedule,
  pipelines: readonly Pipeline[],
  signal: AbortSignal,
): Promise<void> {
  for (const pipeline of pipelines) {
    for (const due of await momentsDue(deps, schedule, pipeline.name)) {
      if (signal.aborted) return
      // Runs start in the order of their due times, so later runs wait until another scheduler's run has ended.
      if (!(await runOne(deps, pipeline, due, signal))) break
    }
  }
}

/** Returns false if the pipeline is already running or has already run for this due time. */
async function runOne(deps: PipelineDeps, pipeline: Pipeline, due: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { run } = await runPipeline(deps, pipeline, { requestedBy: 'schedule', scheduledFor: due, signal })
    const { id, state, outcome, reasons, error_message } = run
    deps.log.info({ run: id, pipeline: pipeline.name, state, outcome, reasons, error_message }, 'run ended')
    return true
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
    deps.log.info({ pipeline: pipeline.name }, error.message)
    return false
  }
}

/** Under the `skip` policy, the delay after which a due time is considered missed. */
const GRACE_MS = 15 * 60_000

/** Scheduled times that are due, in ascending order. A pipeline that has never run is due under every policy. */
async function momentsDue(
  { warehouse: { db }, clock }: PipelineDeps,
  schedule: Schedule,
  name: string,
): Promise<string[]> {
  const now = await clock.now()
  const latest = lastDue(schedule, now)
  if (await hasServed(db, name, latest.toISOString())) return []
  const served = await lastServed(db, name)
  if (served === undefined) return [latest.toISOString()]
  switch (schedule.catch_up) {
    case 'latest':
      return [latest.toISOString()]
    case 'skip':
      return now.getTime() - latest.getTime() <= GRACE_MS ? [latest.toISOString()] : []
    case 'all':
      return dueSince(schedule, new Date(served), now).map((moment) => moment.toISOString())
  }
}

import { once } from 'node:events'
import { createTask } from 'node-cron'
import { AppError } from '../src/lib/errors.ts'
import type { PipelineDeps } from './pipeline.ts'
import { findPipeline } from './registry.ts'
import { runPipeline } from './run.ts'
import type { Schedule } from './schedule.ts'
import { lastDue } from './schedule.ts'
import { hasServed } from './state/runs.ts'

/**
 * Wakes every minute and does what is due, until the signal aborts. What is due is read from the run log, not remembered: a night that was
 * missed while nothing ran is noticed at the start, and two schedulers never run one night twice.
 */
export async function runScheduler(deps: PipelineDeps, schedule: Schedule, signal: AbortSignal): Promise<void> {
  for (const name of schedule.pipelines) findPipeline(name)
  lastDue(schedule, deps.clock.now())
  let working: Promise<void> | undefined
  const wake = (): void => {
    working ??= runDue(deps, schedule, signal)
      .catch((error: unknown) =>
        deps.log.error({ err: error }, 'the schedule could not be followed; the next minute tries again'),
      )
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

/** Runs the pipelines whose latest moment has not been served. A run that fails is logged; the others go on. */
export async function runDue(deps: PipelineDeps, schedule: Schedule, signal: AbortSignal): Promise<void> {
  const due = lastDue(schedule, deps.clock.now()).toISOString()
  for (const name of schedule.pipelines) {
    if (signal.aborted) return
    if (await hasServed(deps.warehouse.db, name, due)) continue
    try {
      const { run } = await runPipeline(deps, findPipeline(name), {
        requestedBy: 'schedule',
        scheduledFor: due,
        signal,
      })
      const { id, state, outcome, reasons, error_message } = run
      deps.log.info({ run: id, pipeline: name, state, outcome, reasons, error_message }, 'run ended')
    } catch (error) {
      // Another scheduler was faster, or a person runs it at this moment.
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
      deps.log.info({ pipeline: name }, error.message)
    }
  }
}

import { AppError } from '../../src/lib/errors.ts'
import type { PipelineDeps, RunContext } from './pipeline.ts'
import { noCounts } from './pipeline.ts'
import type { RunFigures } from './runs.ts'
import { beat } from './runs.ts'

const MAX_INTERVAL_SECONDS = 5

interface Heartbeat {
  context: Pick<RunContext, 'signal' | 'progress' | 'counts'>
  state(): RunFigures
  /** Whether a user has requested a stop. */
  isStopping(): boolean
  stop(): Promise<void>
}

/**
 * Periodically writes the heartbeat and the progress to the run's row. Aborts the run's signal if the run was declared
 * abandoned or a stop was requested. If a heartbeat cannot be written, logs the error and continues with the next
 * heartbeat.
 */
export function startHeartbeat(
  deps: PipelineDeps,
  runId: number,
  options: { signal: AbortSignal; onProgress?: (done: number, total?: number) => void },
): Heartbeat {
  const ended = new AbortController()
  let stopping = false
  const requestsBefore = deps.client.counts.requests
  let done = 0
  let total: number | undefined
  const counts = { ...noCounts(), units: 0 }
  const state = (): RunFigures => ({
    ...counts,
    done,
    total: total ?? null,
    requests: deps.client.counts.requests - requestsBefore,
  })
  const once = async (): Promise<void> => {
    try {
      const order = await beat(deps.warehouse.db, runId, state())
      if (order === 'running') return
      stopping = order === 'stopping'
      if (stopping) return ended.abort(new AppError('interrupted', `Run ${runId} was stopped on request.`))
      ended.abort(
        new AppError('conflict', `Run ${runId} was declared abandoned; another run may have taken over its work.`),
      )
    } catch (error) {
      deps.log.warn({ err: error, run: runId }, 'heartbeat could not be written')
    }
  }
  const seconds = Math.min(MAX_INTERVAL_SECONDS, deps.settings.abandoned_after_seconds / 4)
  let beating = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating.then(once)
  }, seconds * 1000)
  return {
    state,
    isStopping: () => stopping,
    context: {
      counts,
      signal: AbortSignal.any([options.signal, ended.signal]),
      progress(nowDone, nowTotal) {
        done = nowDone
        total = nowTotal ?? total
        options.onProgress?.(done, total)
      },
    },
    async stop() {
      clearInterval(timer)
      await beating
    },
  }
}

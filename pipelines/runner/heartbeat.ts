import { AppError } from '../../src/lib/errors.ts'
import type { PipelineDeps, RunContext } from './pipeline.ts'
import { noCounts } from './pipeline.ts'
import type { RunFigures } from './runs.ts'
import { beat } from './runs.ts'

const MOST_SECONDS_BETWEEN = 5

interface Heartbeat {
  context: Pick<RunContext, 'signal' | 'progress' | 'counts'>
  state(): RunFigures
  stop(): Promise<void>
}

/**
 * Shows the run's life and progress in its row while it works. When the row says that the run was declared abandoned, the run's
 * signal aborts. A database that is away is not the end: the next beat may reach it.
 */
export function startHeartbeat(
  deps: PipelineDeps,
  runId: number,
  options: { signal: AbortSignal; onProgress?: (done: number, total?: number) => void },
): Heartbeat {
  const taken = new AbortController()
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
      if (await beat(deps.warehouse.db, runId, state())) return
      taken.abort(
        new AppError('conflict', `Run ${runId} was declared abandoned, and another may have taken up its work.`),
      )
    } catch (error) {
      deps.log.warn({ err: error, run: runId }, 'a heartbeat did not reach the warehouse')
    }
  }
  const seconds = Math.min(MOST_SECONDS_BETWEEN, deps.settings.abandoned_after_seconds / 4)
  let beating = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating.then(once)
  }, seconds * 1000)
  return {
    state,
    context: {
      counts,
      signal: AbortSignal.any([options.signal, taken.signal]),
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

import { AppError } from '../../lib/errors.ts'
import { EXIT } from './exit-codes.ts'

/**
 * Signals received within this interval count as one, because a terminal sends SIGINT to the whole process group and
 * the parent process then forwards the signal.
 */
const SAME_SIGNAL_MS = 500

/** The subset of `process` used for signals. */
export interface SignalTarget {
  on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): unknown
}

/** Aborts on Ctrl-C and SIGTERM. A second signal ends the process immediately. */
export function abortOnSignals(target: SignalTarget): AbortSignal {
  const controller = new AbortController()
  let abortedAt = 0
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    target.on(name, () => {
      if (controller.signal.aborted) {
        if (Date.now() - abortedAt > SAME_SIGNAL_MS) target.exit(EXIT.interrupted)
        return
      }
      abortedAt = Date.now()
      controller.abort(new AppError('interrupted', `stopped by ${name}`))
    })
  }
  return controller.signal
}

import { AppError } from '../../lib/errors.ts'
import { EXIT } from './exit-codes.ts'

/** Signals that come together are one: a terminal sends Ctrl-C to the whole group of processes, and a parent passes it on as well. */
const TOGETHER_MS = 500

/** What hears of signals, and can end: this process. */
export interface Signalled {
  on(name: 'SIGINT' | 'SIGTERM', heard: () => void): unknown
  exit(code: number): unknown
}

/** A signal that aborts on Ctrl-C and SIGTERM. Whoever does not want to wait for what follows, sends it again: that ends the process at once. */
export function abortOnSignals(signalled: Signalled = process): AbortSignal {
  const controller = new AbortController()
  let heardAt = 0
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    signalled.on(name, () => {
      if (controller.signal.aborted) {
        if (Date.now() - heardAt > TOGETHER_MS) signalled.exit(EXIT.interrupted)
        return
      }
      heardAt = Date.now()
      controller.abort(new AppError('interrupted', `stopped by ${name}`))
    })
  }
  return controller.signal
}

import { sleep } from '../backoff.ts'
import { messageOf } from '../errors.ts'
import type { Log } from '../logger.ts'

/** Milliseconds between checks. */
const CHECK_INTERVAL_MS = 500
/** Maximum milliseconds between restart attempts. */
const MAX_PAUSE_MS = 4_000

/**
 * Restarts the server if it is down. `startIfDown` returns true if it has started the server. After an error, checks
 * continue at increasing intervals. Disposal waits for a check that is in progress.
 */
export function superviseServer(log: Log, startIfDown: () => Promise<boolean>): AsyncDisposable {
  const stop = new AbortController()
  const checks = (async () => {
    for (let pause = CHECK_INTERVAL_MS; ; ) {
      await sleep(pause, stop.signal)
      try {
        if (await startIfDown()) log.warn('PostgreSQL was down and has been restarted')
        pause = CHECK_INTERVAL_MS
      } catch (error) {
        pause = Math.min(2 * pause, MAX_PAUSE_MS)
        log.error({ err: messageOf(error) }, 'PostgreSQL is down and failed to start; retrying')
      }
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) log.error({ err: messageOf(error) }, 'PostgreSQL supervision stopped')
  })
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await checks
    },
  }
}

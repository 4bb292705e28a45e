import { sleep } from '../backoff.ts'
import { messageOf } from '../errors.ts'
import type { Log } from '../logger.ts'

/** Milliseconds between looks. */
const EVERY = 500
/** While it cannot be started (the disk is full): every so many milliseconds at the most. */
const LONGEST_PAUSE = 4_000

/**
 * Looks again and again whether the server is down, and starts it. `startIfDown` tells whether it had to; when it throws, it is tried again later.
 * Disposing of it ends the looks, and waits for one under way.
 */
export function superviseServer(log: Log, startIfDown: () => Promise<boolean>): AsyncDisposable {
  const stop = new AbortController()
  const looks = (async () => {
    for (let pause = EVERY; ; ) {
      await sleep(pause, stop.signal)
      try {
        if (await startIfDown()) log.warn('PostgreSQL had gone down and was started again')
        pause = EVERY
      } catch (error) {
        pause = Math.min(2 * pause, LONGEST_PAUSE)
        log.error({ err: messageOf(error) }, 'PostgreSQL is down and does not start; trying again')
      }
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) log.error({ err: messageOf(error) }, 'PostgreSQL is no longer looked after')
  })
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await looks
    },
  }
}

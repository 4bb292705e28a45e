import { backoffDelay, sleep } from '../../src/lib/backoff.ts'
import { AppError, messageOf, systemCode } from '../../src/lib/errors.ts'

/** SQLSTATE codes and system error codes that indicate a lost connection. */
const CONNECTION_LOST = /^(08|57P0[123]|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/
const CONNECTION_MESSAGE = /connection terminated|timeout exceeded when trying to connect|not queryable/i

export const isConnectionLost = (error: unknown): boolean =>
  CONNECTION_LOST.test(systemCode(error) ?? '') || CONNECTION_MESSAGE.test(messageOf(error))

export interface ReachableOptions {
  signal?: AbortSignal
  /** Milliseconds after which the call fails if the database is still unreachable. @default 60_000 */
  timeout?: number
}

/**
 * Retries `work` while the database is unreachable. An attempt may have been committed even though its response was
 * lost, so `work` must detect this on a retry. Throws `unavailable` after the timeout.
 */
export async function whenReachable<T>(
  work: (attempt: number) => Promise<T>,
  options: ReachableOptions = {},
): Promise<T> {
  const deadline = Date.now() + (options.timeout ?? 60_000)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      const wait = backoffDelay(attempt, { first: 50, longest: 2_000 })
      if (Date.now() + wait > deadline)
        throw new AppError(
          'unavailable',
          `The warehouse is unreachable: ${messageOf(error)}. Committed work is kept. Run the pipeline again once the database is reachable.`,
          { cause: error, retryable: true },
        )
      await sleep(wait, options.signal)
    }
  }
}

import { backoffDelay, sleep } from '../../src/lib/backoff.ts'
import { AppError, messageOf, systemCode } from '../../src/lib/errors.ts'

/** SQLSTATE classes and system codes that speak of the connection, not of the statement. */
const CONNECTION_LOST = /^(08|57P0[123]|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/
const CONNECTION_MESSAGE = /connection terminated|timeout exceeded when trying to connect|not queryable/i

export const isConnectionLost = (error: unknown): boolean =>
  CONNECTION_LOST.test(systemCode(error) ?? '') || CONNECTION_MESSAGE.test(messageOf(error))

export interface ReachableOptions {
  signal?: AbortSignal
  /** Milliseconds after which a database that is away is given up. @default 60_000 */
  longest?: number
}

/**
 * Does `work` on the database, again and again while the database is away. `work` may have been done although its answer was lost: it must
 * be able to find that out. Throws `unavailable` when the database stays away.
 */
export async function whenReachable<T>(
  work: (attempt: number) => Promise<T>,
  options: ReachableOptions = {},
): Promise<T> {
  const deadline = Date.now() + (options.longest ?? 60_000)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      const wait = backoffDelay(attempt, { first: 50, longest: 2_000 })
      if (Date.now() + wait > deadline)
        throw new AppError(
          'unavailable',
          `The warehouse does not answer: ${messageOf(error)}. What was committed stays; run it again when the database is back.`,
          { cause: error, retryable: true },
        )
      await sleep(wait, options.signal)
    }
  }
}

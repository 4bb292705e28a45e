import { setTimeout as wait } from 'node:timers/promises'

export interface BackoffOptions {
  /** Milliseconds before the second attempt, at least 1. @default 200 */
  first?: number
  /** Maximum wait in milliseconds. @default 30_000 */
  longest?: number
  /** Maximum number of attempts, at least 1. @default 5 */
  attempts?: number
}

/**
 * Returns the milliseconds to wait after attempt `attempt` (1-based) fails. The delay grows exponentially and is
 * multiplied by a random factor between 0.5 and 1.
 */
export function backoffDelay(attempt: number, { first = 200, longest = 30_000 }: BackoffOptions = {}): number {
  const ceiling = Math.min(longest, first * 2 ** (attempt - 1))
  return ceiling / 2 + (Math.random() * ceiling) / 2
}

/** Waits for the delay. Throws the signal's reason if the signal is aborted during the wait. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, signal && { signal }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw error
  })
}

import { setTimeout as wait } from 'node:timers/promises'

export interface BackoffOptions {
  /** Milliseconds before the second attempt. Minimum: 1. @default 200 */
  first?: number
  /** The longest wait, in milliseconds. @default 30_000 */
  longest?: number
  /** Attempts in all. Minimum: 1. @default 5 */
  attempts?: number
}

/** Milliseconds to wait after attempt `attempt` (1 is the first) failed: doubling, with full jitter above the half. */
export function backoffDelay(attempt: number, { first = 200, longest = 30_000 }: BackoffOptions = {}): number {
  const ceiling = Math.min(longest, first * 2 ** (attempt - 1))
  return ceiling / 2 + (Math.random() * ceiling) / 2
}

/** Waits, unless the signal aborts first: then it throws the signal's reason. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, signal && { signal }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw error
  })
}

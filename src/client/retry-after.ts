import { retryAfterSeconds } from '../lib/retry-after.ts'
import type { Reply } from './call.ts'
import { header } from './call.ts'

/** A longer `Retry-After` is not waited for, in milliseconds. */
export const MAX_RETRY_AFTER = 120_000

/** Milliseconds of `Retry-After`; undefined if absent or invalid. */
export function retryAfterOf(reply: Reply, now = Date.now()): number | undefined {
  const seconds = retryAfterSeconds(header(reply, 'retry-after'), now)
  return seconds === undefined ? undefined : seconds * 1000
}

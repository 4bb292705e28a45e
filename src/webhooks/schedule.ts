const MINUTE = 60
const HOUR = 3600

/** Seconds before each attempt, including the first: 10 attempts over 3 days and 3.5 hours (Standard Webhooks). */
export const SCHEDULE: readonly number[] = [
  0,
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Maximum Retry-After delay that is honored. */
const MAX_RETRY_AFTER = 24 * HOUR

/**
 * Returns the seconds to wait after failed attempt number `attempt`, counted from 1; undefined after the last attempt.
 * Adds 0 to 10 % jitter. `asked` is the receiver's Retry-After in seconds, which can only increase the wait.
 */
export function delayAfter(
  attempt: number,
  { asked = 0, schedule = SCHEDULE, random = Math.random }: DelayOptions = {},
): number | undefined {
  const planned = schedule[attempt]
  if (planned === undefined) return undefined
  return Math.max(planned * (1 + random() / 10), Math.min(asked, MAX_RETRY_AFTER))
}

export interface DelayOptions {
  asked?: number
  schedule?: readonly number[]
  random?: () => number
}

const MINUTE = 60
const HOUR = 3600

/** Seconds before each attempt, the first included: 10 attempts over three days and three and a half hours (Standard Webhooks). */
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

/** A receiver may ask for a longer pause, but not for ever. */
const MAX_RETRY_AFTER = 24 * HOUR

/**
 * Seconds to wait after attempt `attempt` (1 is the first) failed; undefined when it was the last. 0 to 10 % is added, so that a receiver that
 * comes back is not met by everybody at once. `asked` is the receiver's Retry-After, in seconds: it lengthens the wait, never shortens it.
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

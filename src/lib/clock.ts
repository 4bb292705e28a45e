/** Where the time comes from. Passed in wherever time decides something, so that a test can set it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

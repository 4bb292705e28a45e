/** The clock of this process. Decisions about shared rows use a `DatabaseClock`. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Continues the database's clock from `moment`, by the monotonic clock of this process. */
export function clockFrom(moment: string): Clock {
  const start = Date.parse(moment) - performance.now()
  return { now: () => new Date(start + performance.now()) }
}

/** The process's clock. Decisions about shared rows use a `DatabaseClock` instead. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Returns a clock that starts at the database's time `moment` and advances with this process's monotonic clock. */
export function clockFrom(moment: string): Clock {
  const start = Date.parse(moment) - performance.now()
  return { now: () => new Date(start + performance.now()) }
}

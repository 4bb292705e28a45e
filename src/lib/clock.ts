/** The process's clock. Decisions about shared rows use a `DatabaseClock` instead. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that continues the database's clock from `moment`, using this process's monotonic clock. */
export function clockFrom(moment: string): Clock {
  const start = Date.parse(moment) - performance.now()
  return { now: () => new Date(start + performance.now()) }
}

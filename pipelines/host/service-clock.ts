import type { ResponseInfo } from '../../src/client/index.ts'

/** The service's clock, as read from the `Date` headers of its replies. */
export interface ServiceClock {
  /** Milliseconds by which it is ahead of this process's clock; undefined before the first `Date` header. Accurate to a second. */
  aheadMs: number | undefined
}

export function readClock(clock: ServiceClock, { headers }: ResponseInfo): void {
  const date = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(date)) clock.aheadMs = date - Date.now()
}

import type { ResponseInfo } from '../../src/client/index.ts'

/** The service's clock, read from the `Date` headers of its responses. */
export interface ServiceClock {
  /**
   * Milliseconds by which the service's clock is ahead of this process's clock, accurate to one second. Undefined until
   * a response has a `Date` header.
   */
  aheadMs: number | undefined
}

export function readClock(clock: ServiceClock, { headers }: ResponseInfo): void {
  const date = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(date)) clock.aheadMs = date - Date.now()
}

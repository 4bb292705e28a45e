import type { Send } from './call.ts'
import { header } from './call.ts'

/** The service's clock, as read from the `Date` headers of its replies. */
export interface ServiceClock {
  /** Milliseconds by which it is ahead of this process's clock; undefined before the first `Date` header. Accurate to a second. */
  aheadMs: number | undefined
}

export function withServiceClock(send: Send, clock: ServiceClock): Send {
  return async (call) => {
    const reply = await send(call)
    const date = Date.parse(header(reply, 'date') ?? '')
    if (!Number.isNaN(date)) clock.aheadMs = date - Date.now()
    return reply
  }
}

import type { Db } from '../db/database.ts'
import type { RateClass } from './lease-requests.ts'
import { leaseRequests } from './lease-requests.ts'

/** The decision about one request. */
export interface Rate {
  accepted: boolean
  limit: number
  /** Requests left in this window, according to this process's last lease. */
  remaining: number
  /** Seconds until the next window starts. */
  resetSeconds: number
}

interface Window {
  limit: number
  /** Number of requests that this process may still accept. */
  held: number
  /** Number of requests that had not been granted to any process at the time of the last lease. */
  ungranted: number
  /**
   * Earliest possible end of the window, on this process's monotonic clock. Leased requests are not used after this
   * time.
   */
  endsAt: number
  /** Latest end of the window. A caller that waits until then is not rejected again in this window. */
  endedAt: number
  /** Size of the next lease. It doubles with each lease, so mostly idle processes lease few requests. */
  next: number
  /** The pending lease, if any. Requests wait for a pending lease instead of starting another lease. */
  lease: Promise<void> | undefined
}

const MAX_LEASE = 1024

/**
 * Counts a client's requests in a window shared by all serving processes. A process leases requests in blocks and
 * counts them in memory, so most requests and all rejections need no round trip. The limit is never exceeded, but
 * unused leased requests are lost until the window ends.
 */
export class RateLimiter {
  readonly #db: Db
  readonly #now: () => number
  readonly #windows = new Map<string, Window>()

  /** `now` is a monotonic clock in milliseconds. */
  constructor(db: Db, now: () => number = () => performance.now()) {
    this.#db = db
    this.#now = now
  }

  /** Counts one request. */
  async take(clientId: string, rateClass: RateClass, limit: number): Promise<Rate> {
    const key = `${rateClass} ${clientId}`
    for (;;) {
      const window = this.#present(key, limit)
      if (window.held > 0) {
        window.held -= 1
        return this.#rate(window, true)
      }
      if (window.ungranted === 0) return this.#rate(window, false)
      window.lease ??= this.#lease(window, clientId, rateClass)
      await window.lease
    }
  }

  #present(key: string, limit: number): Window {
    const known = this.#windows.get(key)
    if (known && known.endsAt > this.#now() && known.limit === limit) return known
    this.#dropEnded()
    const open = { endsAt: Number.POSITIVE_INFINITY, endedAt: Number.POSITIVE_INFINITY }
    const window = { limit, held: 0, ungranted: limit, next: 1, lease: undefined, ...open }
    this.#windows.set(key, window)
    return window
  }

  async #lease(window: Window, clientId: string, rateClass: RateClass): Promise<void> {
    const requestedAt = this.#now()
    try {
      const lease = await leaseRequests(this.#db, clientId, rateClass, window.limit, window.next)
      window.held += lease.granted
      window.ungranted = lease.granted === 0 ? 0 : Math.max(0, window.limit - lease.used)
      window.endsAt = requestedAt + lease.endsInMs
      window.endedAt = this.#now() + lease.endsInMs
      window.next = Math.min(MAX_LEASE, window.next * 2)
    } finally {
      window.lease = undefined
    }
  }

  /** Drops windows of idle clients. Called when a window is replaced. */
  #dropEnded(): void {
    if (this.#windows.size < 1000) return
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= this.#now()) this.#windows.delete(key)
  }

  #rate(window: Window, accepted: boolean): Rate {
    const resetSeconds = Math.max(1, Math.ceil((window.endedAt - this.#now()) / 1000))
    return { accepted, limit: window.limit, remaining: accepted ? window.held + window.ungranted : 0, resetSeconds }
  }
}

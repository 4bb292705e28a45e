import type { Db } from '../db/database.ts'
import type { RateClass } from './lease-requests.ts'
import { leaseRequests } from './lease-requests.ts'

/** The answer to one request. */
export interface Rate {
  accepted: boolean
  limit: number
  /** Requests left in this window, as far as this process knows. */
  remaining: number
  /** Seconds until the next window. */
  resetSeconds: number
}

interface Window {
  limit: number
  /** Requests that this process may still accept. */
  held: number
  /** Requests that no process has been granted, as the last lease told. */
  ungranted: number
  /** When it ends at the earliest, by this process's steady clock: from then on nothing held is used. */
  endsAt: number
  /** When it has certainly ended: a caller who waits until then is not refused again. */
  endedAt: number
  /** What the next lease asks for: doubles, so that a process that is asked little holds little. */
  next: number
  /** A lease under way. Requests wait for it rather than take one each. */
  lease: Promise<void> | undefined
}

const MAX_LEASE = 1024

/**
 * Counts a client's requests against a window that all serving processes share. A process leases requests in blocks and counts them in memory:
 * one round trip to the database for many requests, and none for those that are refused. Never more than the limit is accepted; what
 * a process holds when its callers go elsewhere stays unused until the window ends (at most as much as it had accepted before).
 */
export class RateLimiter {
  readonly #db: Db
  readonly #now: () => number
  readonly #windows = new Map<string, Window>()

  /** `now` is a steady clock in milliseconds. */
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
    const asked = this.#now()
    try {
      const lease = await leaseRequests(this.#db, clientId, rateClass, window.limit, window.next)
      window.held += lease.granted
      window.ungranted = lease.granted === 0 ? 0 : Math.max(0, window.limit - lease.used)
      window.endsAt = asked + lease.endsInMs
      window.endedAt = this.#now() + lease.endsInMs
      window.next = Math.min(MAX_LEASE, window.next * 2)
    } finally {
      window.lease = undefined
    }
  }

  /** Called when a window is replaced, so that clients who stopped calling do not pile up. */
  #dropEnded(): void {
    if (this.#windows.size < 1000) return
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= this.#now()) this.#windows.delete(key)
  }

  #rate(window: Window, accepted: boolean): Rate {
    const resetSeconds = Math.max(1, Math.ceil((window.endedAt - this.#now()) / 1000))
    return { accepted, limit: window.limit, remaining: accepted ? window.held + window.ungranted : 0, resetSeconds }
  }
}

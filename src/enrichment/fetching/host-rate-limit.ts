import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'

/** Spaces out the requests to each host. Callers reserve slots in advance, so no two callers use the same slot. */
export interface HostRateLimit {
  /**
   * Reserves the host's next slot and returns the milliseconds until it starts. The following slot is `interval`
   * milliseconds later. Throws `unavailable` if the next slot is more than MAX_WAIT_SECONDS away.
   */
  reserveSlot(host: string, interval: number): Promise<number>
  /** Delays the host's next slot by at least the given number of seconds. */
  pause(host: string, seconds: number): Promise<void>
}

/**
 * Maximum time that a request waits for a slot. A longer wait means that the host is paused or that too many requests
 * are queued.
 */
export const MAX_WAIT_SECONDS = 30
const MAX_HOSTS = 10_000

/** Rate limits within this process. `now` is a monotonic clock in milliseconds. */
export class LocalHostRateLimit implements HostRateLimit {
  readonly #now: () => number
  // Evicting the least recently used hosts is safe, because their next slot is usually in the past.
  readonly #nextAt = new LRUCache<string, number>({ max: MAX_HOSTS })

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async reserveSlot(host: string, interval: number): Promise<number> {
    const now = this.#now()
    const at = Math.max(now, this.#nextAt.get(host) ?? 0)
    if (at - now > MAX_WAIT_SECONDS * 1000) throw hostBusy(host, at - now)
    this.#nextAt.set(host, at + interval)
    return at - now
  }

  async pause(host: string, seconds: number): Promise<void> {
    this.#nextAt.set(host, Math.max(this.#nextAt.get(host) ?? 0, this.#now() + seconds * 1000))
  }

  /** Number of hosts in memory. */
  get size(): number {
    return this.#nextAt.size
  }
}

/** The error thrown if a host's next slot is `wait` milliseconds away. */
export const hostBusy = (host: string, wait: number): AppError =>
  new AppError(
    'unavailable',
    `${host} accepts no requests for another ${Math.ceil(wait / 1000)} s: it is paused or has too many queued requests`,
    {
      retryable: true,
    },
  )

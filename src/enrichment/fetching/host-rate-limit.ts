import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'

/** Spaces requests to each host. Slots are reserved ahead of time, so that two callers never share one. */
export interface HostRateLimit {
  /**
   * Reserves the host's next slot and returns the milliseconds until it starts; the following slot is `interval` milliseconds later. Throws
   * `unavailable` when the next slot is more than MAX_WAIT_SECONDS away.
   */
  reserveSlot(host: string, interval: number): Promise<number>
  /** Reserves nothing before the given number of seconds has passed. */
  pause(host: string, seconds: number): Promise<void>
}

/** A slot further away is not waited for: the host is paused or has too many requests queued. */
export const MAX_WAIT_SECONDS = 30
const MAX_HOSTS = 10_000

/** Rate limits within this process. `now` is a monotonic clock in milliseconds. */
export class LocalHostRateLimit implements HostRateLimit {
  readonly #now: () => number
  // Evicting the least recently used hosts is safe: their next slot has passed.
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

/** `wait`: milliseconds. */
export const hostBusy = (host: string, wait: number): AppError =>
  new AppError(
    'unavailable',
    `${host} takes no request for another ${Math.ceil(wait / 1000)} s: it is paused or has too many queued`,
    {
      retryable: true,
    },
  )

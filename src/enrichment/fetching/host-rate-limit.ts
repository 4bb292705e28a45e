import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'

/** When each host may be asked next. Turns are handed out before they come, so that askers never meet. */
export interface HostRateLimit {
  /** Takes the next turn at the host; the one after it comes `interval` milliseconds later. Throws `unavailable` when none is near. */
  takeTurn(host: string, interval: number): Promise<Turn>
  /** The host asked to be left alone for so many seconds. */
  rest(host: string, seconds: number): Promise<void>
}

export interface Turn {
  /** Milliseconds until it comes. */
  wait: number
}

/** Seconds. A turn further away than this is not waited for: the host asked to be left alone, or too many ask it. */
export const LONGEST_WAIT = 30
const MANY_HOSTS = 10_000

/** The hostRateLimit of this process alone. `now` is a steady clock in milliseconds. */
export class LocalHostRateLimit implements HostRateLimit {
  readonly #now: () => number
  // The ones asked longest ago are at rest: forgetting them loses nothing.
  readonly #nextAt = new LRUCache<string, number>({ max: MANY_HOSTS })

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async takeTurn(host: string, interval: number): Promise<Turn> {
    const now = this.#now()
    const at = Math.max(now, this.#nextAt.get(host) ?? 0)
    if (at - now > LONGEST_WAIT * 1000) throw noTurnNear(host, at - now)
    this.#nextAt.set(host, at + interval)
    return { wait: at - now }
  }

  async rest(host: string, seconds: number): Promise<void> {
    this.#nextAt.set(host, Math.max(this.#nextAt.get(host) ?? 0, this.#now() + seconds * 1000))
  }

  /** How many hosts are remembered. */
  get size(): number {
    return this.#nextAt.size
  }
}

/** `wait`: milliseconds. */
export const noTurnNear = (host: string, wait: number): AppError =>
  new AppError('unavailable', `${host} is left alone for ${Math.ceil(wait / 1000)} s more, as it asked`, {
    retryable: true,
  })

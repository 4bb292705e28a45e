import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { hashApiKey, isApiKey } from './api-key.ts'
import { findCaller, touchApiKey } from './api-keys.ts'
import type { Caller } from './caller.ts'

declare module '../lib/errors.ts' {
  interface ErrorCodes {
    trial_expired: true
  }
}

/** How long a revoked key keeps working, and a changed plan or limit stays unnoticed. */
const CACHE_TTL_MS = 15_000
const TOUCH_INTERVAL_MS = 60_000
/** Far more than the keys in use; bounds memory under a flood of made-up keys. */
const MAX_CACHED_KEYS = 10_000

interface Known {
  caller: Promise<Caller | undefined>
  until: number
  touchedAt: number
}

/** Authenticates keys, caching the result for seconds so that most reads need no query. */
export class KeyRing implements AsyncDisposable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #known = new LRUCache<string, Known>({ max: MAX_CACHED_KEYS })
  readonly #touches = new Set<Promise<unknown>>()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * The client that holds the key. Throws `unauthenticated` for a missing, unknown or revoked key and `trial_expired`
   * after a trial.
   */
  async authenticate(key: string | undefined): Promise<Caller> {
    if (!key) throw new AppError('unauthenticated', 'Send your API key in the header X-Api-Key.')
    const caller = isApiKey(key) ? await this.#find(key) : undefined
    if (!caller) throw new AppError('unauthenticated', 'Unknown or revoked API key. Check the header X-Api-Key.')
    if (caller.trialEndsAt !== null && Date.parse(caller.trialEndsAt) <= this.#clock.now().getTime())
      throw new AppError('trial_expired', `The trial ended at ${caller.trialEndsAt}. Choose a plan to continue.`)
    return caller
  }

  /** Waits for pending writes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#touches)
  }

  #find(key: string): Promise<Caller | undefined> {
    const now = this.#clock.now().getTime()
    let known = this.#known.get(key)
    if (!known || known.until <= now) known = this.#load(key, now, known?.touchedAt ?? 0)
    if (now - known.touchedAt >= TOUCH_INTERVAL_MS) this.#touch(known, now)
    return known.caller
  }

  #load(key: string, now: number, touchedAt: number): Known {
    const known = { caller: findCaller(this.#db, hashApiKey(key)), until: now + CACHE_TTL_MS, touchedAt }
    this.#known.set(key, known)
    // Database errors are not cached.
    known.caller.catch(() => this.#known.get(key) === known && this.#known.delete(key))
    return known
  }

  #touch(known: Known, now: number): void {
    known.touchedAt = now
    const touch = known.caller
      .then((caller) => caller && touchApiKey(this.#db, caller.keyId))
      .catch(() => undefined) // A request reports a database outage itself.
      .finally(() => this.#touches.delete(touch))
    this.#touches.add(touch)
  }
}

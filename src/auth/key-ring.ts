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

/** A revoked key works this long at the most, and a changed plan or limit takes this long to be felt. */
const CACHE_TTL_MS = 15_000
const TOUCH_INTERVAL_MS = 60_000
/** Far more than the keys in use; a flood of made-up keys must not fill the memory. */
const MAX_CACHED_KEYS = 10_000

interface Known {
  caller: Promise<Caller | undefined>
  until: number
  touchedAt: number
}

/** Knows who holds which key, and remembers it for seconds, so that a read does not pay for it every time. */
export class KeyRing implements AsyncDisposable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #known = new LRUCache<string, Known>({ max: MAX_CACHED_KEYS })
  readonly #touches = new Set<Promise<unknown>>()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Who holds this key. Throws `unauthenticated` for a missing, unknown or revoked one, `trial_expired` after a trial. */
  async authenticate(key: string | undefined): Promise<Caller> {
    if (!key) throw new AppError('unauthenticated', 'Send your API key in the header X-Api-Key.')
    const caller = isApiKey(key) ? await this.#find(key) : undefined
    if (!caller)
      throw new AppError('unauthenticated', 'This API key is unknown or revoked. Check the header X-Api-Key.')
    if (caller.trialEndsAt !== null && Date.parse(caller.trialEndsAt) <= this.#clock.now().getTime())
      throw new AppError('trial_expired', `The trial of this client ended at ${caller.trialEndsAt}. Ask for a plan.`)
    return caller
  }

  /** Waits for what is still being written. */
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
    // A database that was away is asked again by the next request, not remembered.
    known.caller.catch(() => this.#known.get(key) === known && this.#known.delete(key))
    return known
  }

  #touch(known: Known, now: number): void {
    known.touchedAt = now
    const touch = known.caller
      .then((caller) => caller && touchApiKey(this.#db, caller.keyId))
      .catch(() => undefined) // The request itself tells that the database is away.
      .finally(() => this.#touches.delete(touch))
    this.#touches.add(touch)
  }
}

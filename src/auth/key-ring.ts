import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { hashApiKey, isApiKey } from './api-key.ts'
import { findCaller, touchApiKey } from './api-keys.ts'
import type { Caller } from './caller.ts'
import { trialExpired } from './caller.ts'

/** Maximum time until a process notices a revoked key or a changed plan or limit. */
const CACHE_TTL_MS = 15_000
const TOUCH_INTERVAL_MS = 60_000
/** Limits memory during a flood of invalid keys. The limit is far above the number of keys in use. */
const MAX_CACHED_KEYS = 10_000

interface Holder {
  caller: Caller
  /** Expiry of the key and end of the trial, on this process's monotonic clock. */
  keyEnds: number
  trialEnds: number
}

const NEVER_USED = { touchedAt: Number.NEGATIVE_INFINITY, isAccepted: false }

interface Known {
  holder: Promise<Holder | undefined>
  until: number
  touchedAt: number
  isAccepted: boolean
}

/** Authenticates keys. Caches results for a few seconds, so that most requests need no query. */
export class KeyRing implements AsyncDisposable {
  readonly #db: Db
  readonly #now: () => number
  readonly #known = new LRUCache<string, Known>({ max: MAX_CACHED_KEYS })
  readonly #touches = new Set<Promise<unknown>>()

  /** `now` is a monotonic clock in milliseconds. */
  constructor(db: Db, now: () => number = () => performance.now()) {
    this.#db = db
    this.#now = now
  }

  /**
   * Returns the key's client. Throws `unauthenticated` for a missing, unknown or revoked key, and `trial_expired` after
   * the trial.
   */
  async authenticate(key: string | undefined): Promise<Caller> {
    if (!key) throw new AppError('unauthenticated', 'Send your API key in the header X-Api-Key.')
    const holder = isApiKey(key) ? await this.#find(key) : undefined
    if (!holder) throw new AppError('unauthenticated', 'Unknown or revoked API key. Check the header X-Api-Key.')
    const { caller, keyEnds, trialEnds } = holder
    if (keyEnds <= this.#now())
      throw new AppError('unauthenticated', `This API key expired at ${caller.expiresAt}. Use a newer key.`)
    if (trialEnds <= this.#now()) throw trialExpired(caller)
    return caller
  }

  /** Reports whether this process has accepted the key before, even if the cached result has expired. */
  hasAccepted(key: string): boolean {
    return this.#known.peek(key)?.isAccepted ?? false
  }

  /** Waits for pending writes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#touches)
  }

  #find(key: string): Promise<Holder | undefined> {
    const now = this.#now()
    let known = this.#known.get(key)
    if (!known || known.until <= now) known = this.#load(key, now, known ?? NEVER_USED)
    if (now - known.touchedAt >= TOUCH_INTERVAL_MS) this.#touch(known, now)
    return known.holder
  }

  #load(key: string, now: number, { touchedAt, isAccepted }: Pick<Known, 'touchedAt' | 'isAccepted'>): Known {
    const known: Known = { holder: this.#query(key), until: now + CACHE_TTL_MS, touchedAt, isAccepted }
    this.#known.set(key, known)
    // Database errors are not cached.
    known.holder
      .then((holder) => {
        known.isAccepted = holder !== undefined
      })
      .catch(() => this.#known.get(key) === known && this.#known.delete(key))
    return known
  }

  /** The database computes the remaining times, so that keys and trials end at the same time in all processes. */
  async #query(key: string): Promise<Holder | undefined> {
    const found = await findCaller(this.#db, hashApiKey(key))
    if (!found) return undefined
    const { keyEndsInMs, trialEndsInMs, ...caller } = found
    const end = (remaining: number | null) => (remaining === null ? Number.POSITIVE_INFINITY : this.#now() + remaining)
    return { caller, keyEnds: end(keyEndsInMs), trialEnds: end(trialEndsInMs) }
  }

  #touch(known: Known, now: number): void {
    known.touchedAt = now
    const touch = known.holder
      .then((holder) => holder && touchApiKey(this.#db, holder.caller.keyId))
      .catch(() => undefined) // Errors are ignored, because failing requests already report database outages.
      .finally(() => this.#touches.delete(touch))
    this.#touches.add(touch)
  }
}

import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'
import type { NotFetched } from './fetched.ts'
import type { RobotsRules } from './robots.ts'
import { allowAll, allowNone, parseRules } from './robots.ts'

/** The text of a robots.txt file, null if it does not exist, or the reason it could not be read. */
export type RobotsFile = string | null | NotFetched

/** A store of robots.txt files shared between processes. */
export interface RobotsStore {
  /** Reads the stored file. Returns undefined if the file is unknown or expired. */
  read(origin: string): Promise<StoredRobots | undefined>
  /** Stores a file for `lifetime` milliseconds. */
  write(origin: string, text: string | null, lifetime: number): Promise<void>
}

export interface StoredRobots {
  /** The text of the file; null if the site has no robots.txt. */
  text: string | null
  /** Milliseconds until the file expires. */
  left: number
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MAX_SITES = 2000
/** Maximum total size of the cached files, in characters. Parsed rules take several times as much memory. */
const MAX_TEXT = 4_000_000

interface Known {
  rules: RobotsRules
  /** Length of the file's text in characters, plus one. */
  size: number
}

/**
 * Caches rules by origin for 24 hours (RFC 9309, 2.4). Concurrent requests for the same origin load its file only once.
 */
export class RobotsCache {
  readonly #product: string
  readonly #store: RobotsStore | undefined
  readonly #known: LRUCache<string, Known>
  readonly #loading = new Map<string, Promise<RobotsRules>>()

  /** `product` selects the group in robots.txt. */
  constructor(product: string, clock: Clock, store?: RobotsStore) {
    this.#product = product
    this.#store = store
    this.#known = new LRUCache({
      max: MAX_SITES,
      maxSize: MAX_TEXT,
      sizeCalculation: ({ size }) => size,
      perf: { now: () => clock.now().getTime() },
      ttlResolution: 0,
    })
  }

  /**
   * Returns the rules of an origin. `load` fetches the file, and throws only if its caller's signal is aborted or the
   * address is forbidden.
   */
  async rulesFor(origin: string, load: () => Promise<RobotsFile>): Promise<RobotsRules> {
    for (;;) {
      const known = this.#known.get(origin)
      if (known) return known.rules
      const loading = this.#loading.get(origin)
      if (!loading) return await this.#load(origin, load)
      // If the loading caller is aborted, the next waiting caller loads the file.
      const rules = await loading.catch(() => undefined)
      if (rules) return rules
    }
  }

  /** Number of cached origins. */
  get size(): number {
    return this.#known.size
  }

  async #load(origin: string, load: () => Promise<RobotsFile>): Promise<RobotsRules> {
    const loading = this.#read(origin, load)
    this.#loading.set(origin, loading)
    try {
      return await loading
    } finally {
      this.#loading.delete(origin)
    }
  }

  async #read(origin: string, load: () => Promise<RobotsFile>): Promise<RobotsRules> {
    const stored = await this.#store?.read(origin)
    if (stored) return this.#parse(origin, stored.text, stored.left)
    const file = await load()
    if (file !== null && typeof file === 'object') return this.#keep(origin, allowNone(file), 1, MINUTE)
    await this.#store?.write(origin, file, DAY)
    return this.#parse(origin, file, DAY)
  }

  #parse(origin: string, text: string | null, ttl: number): RobotsRules {
    return text === null
      ? this.#keep(origin, allowAll(), 1, ttl)
      : this.#keep(origin, parseRules(text, this.#product), 1 + text.length, ttl)
  }

  #keep(origin: string, rules: RobotsRules, size: number, ttl: number): RobotsRules {
    this.#known.set(origin, { rules, size }, { ttl: Math.max(1, Math.floor(ttl)) })
    return rules
  }
}

import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'

/** Milliseconds in which a total is told as it was counted. */
const FRESH_FOR = 60_000
/** And in which it is still told, while it is counted anew. */
const TOLD_FOR = 600_000
/** More that wait to be counted would be asked for no more by the time it is done. */
const MOST_WAITING = 100

/**
 * How many there are of what there are many of: to count them is to look at each, and whoever pages asks for it again and again. They are counted
 * beside the replies, one after the other.
 */
export class RememberedTotals {
  readonly #totals = new LRUCache<string, { total: number; countedAt: number }>({ max: 1_000, ttl: TOLD_FOR })
  readonly #pending = new Set<string>()
  readonly #counting = new PQueue({ concurrency: 1 })

  /** The total that was counted last. One that is not fresh, or not there, is counted from now on; a count that fails, or has too many before it, is left for the next reply. */
  recall(key: string, count: () => Promise<number>): number | undefined {
    const known = this.#totals.get(key)
    if (!known || performance.now() - known.countedAt > FRESH_FOR) this.#count(key, count)
    return known?.total
  }

  #count(key: string, count: () => Promise<number>): void {
    if (this.#pending.has(key) || this.#counting.size >= MOST_WAITING) return
    this.#pending.add(key)
    const counted = this.#counting.add(async () => {
      const total = await count()
      this.#totals.set(key, { total, countedAt: performance.now() })
    })
    void counted.catch(() => undefined).finally(() => this.#pending.delete(key))
  }
}

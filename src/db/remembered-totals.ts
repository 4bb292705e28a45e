import PQueue from 'p-queue'

/** Milliseconds in which a total is told as it was counted. */
const FRESH_FOR = 60_000
/** And in which it is still told, while it is counted anew. */
const TOLD_FOR = 600_000
const MOST_TOTALS = 1_000

interface Total {
  total: number
  countedAt: number
}

/**
 * How many there are of what there are many of: to count them is to look at each, and whoever pages asks for it again and again. They are counted
 * beside the replies, one after the other.
 */
export class RememberedTotals {
  readonly #totals = new Map<string, Total>()
  readonly #pending = new Set<string>()
  readonly #counting = new PQueue({ concurrency: 1 })

  /** The total that was counted last. One that is not fresh, or not there, is counted from now on; a count that fails is left for the next reply. */
  recall(key: string, count: () => Promise<number>): number | undefined {
    const now = performance.now()
    const known = this.#totals.get(key)
    if (!known || now - known.countedAt > FRESH_FOR) this.#count(key, count)
    return known && now - known.countedAt <= TOLD_FOR ? known.total : undefined
  }

  #count(key: string, count: () => Promise<number>): void {
    if (this.#pending.has(key)) return
    this.#pending.add(key)
    const counted = this.#counting.add(async () => {
      const total = await count()
      if (this.#totals.size >= MOST_TOTALS) this.#totals.delete(this.#totals.keys().next().value as string)
      this.#totals.delete(key)
      this.#totals.set(key, { total, countedAt: performance.now() })
    })
    void counted.catch(() => undefined).finally(() => this.#pending.delete(key))
  }
}

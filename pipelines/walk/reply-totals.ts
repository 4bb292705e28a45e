import type { TotalKind } from '../host-profile/profile.ts'

/** The total and the number of items in a response. The total is null if the response has none. */
export type ReplyCount = readonly [total: number | null, items: number]

/** Collects the totals in the responses of one pull. Stores identical responses only once. */
export class ReplyTotals {
  readonly #seen = new Map<string, ReplyCount>()
  readonly #known: TotalKind | undefined

  /** `earlier` contains the responses of the run whose pull is resumed. */
  constructor(known: TotalKind | undefined, earlier: readonly ReplyCount[] = []) {
    this.#known = known
    for (const [total, items] of earlier) this.add(items, total)
  }

  add(items: number, total: unknown): void {
    const count = [typeof total === 'number' ? total : null, items] as const
    this.#seen.set(count.join(), count)
  }

  get counts(): ReplyCount[] {
    return [...this.#seen.values()]
  }

  /** The total, if all responses report the same total and the total counts all items. */
  get total(): number | undefined {
    if (this.totals === 'page') return undefined
    const [only, ...others] = new Set(this.counts.map(([total]) => total))
    return others.length === 0 ? (only ?? undefined) : undefined
  }

  /** Whether the total number of items changed between two responses. */
  get hasChanged(): boolean {
    return this.totals !== 'page' && new Set(this.counts.flatMap(([total]) => total ?? [])).size > 1
  }

  /**
   * Whether the host's totals count all items or only the items on a page, inferred from responses with different item
   * counts.
   */
  get totals(): TotalKind | undefined {
    const lengths = new Set(this.counts.map(([, items]) => items))
    const totals = new Set(this.counts.map(([total]) => total))
    if (lengths.size < 2 || totals.has(null)) return this.#known
    if (totals.size === 1) return 'all'
    return this.counts.every(([total, items]) => total === items) ? 'page' : this.#known
  }
}

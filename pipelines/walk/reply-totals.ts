import type { TotalKind } from '../host-profile/profile.ts'

/** Collects the totals in the responses of one pull. */
export class ReplyTotals {
  readonly #seen: { total: number | undefined; items: number }[] = []
  readonly #known: TotalKind | undefined

  constructor(known: TotalKind | undefined) {
    this.#known = known
  }

  add(items: number, total: unknown): void {
    this.#seen.push({ items, total: typeof total === 'number' ? total : undefined })
  }

  /** The total, if all responses report the same total and the total counts all items. */
  get total(): number | undefined {
    if (this.totals === 'page') return undefined
    const [only, ...others] = new Set(this.#seen.map(({ total }) => total))
    return others.length === 0 ? only : undefined
  }

  /**
   * Whether the host's totals count all items or only the items on a page, inferred from responses with different
   * numbers of items.
   */
  get totals(): TotalKind | undefined {
    const lengths = new Set(this.#seen.map(({ items }) => items))
    const totals = new Set(this.#seen.map(({ total }) => total))
    if (lengths.size < 2 || totals.has(undefined)) return this.#known
    if (totals.size === 1) return 'all'
    return this.#seen.every(({ total, items }) => total === items) ? 'page' : this.#known
  }
}

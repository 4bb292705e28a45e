import type { TotalKind } from '../host-profile/profile.ts'

/** The totals that the replies of one pull report. */
export class ReplyTotals {
  readonly #seen: { total: number | undefined; items: number }[] = []
  readonly #known: TotalKind | undefined

  constructor(known: TotalKind | undefined) {
    this.#known = known
  }

  add(items: number, total: unknown): void {
    this.#seen.push({ items, total: typeof total === 'number' ? total : undefined })
  }

  /** The total that all replies agree on. */
  get total(): number | undefined {
    if (this.totals === 'page') return undefined
    const [only, ...others] = new Set(this.#seen.map(({ total }) => total))
    return others.length === 0 ? only : undefined
  }

  /** Replies of different length show what the host counts. */
  get totals(): TotalKind | undefined {
    const lengths = new Set(this.#seen.map(({ items }) => items))
    const totals = new Set(this.#seen.map(({ total }) => total))
    if (lengths.size < 2 || totals.has(undefined)) return this.#known
    if (totals.size === 1) return 'all'
    return this.#seen.every(({ total, items }) => total === items) ? 'page' : this.#known
  }
}

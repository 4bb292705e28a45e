import type { TotalKind } from '../host-profile/profile.ts'

/** The totals reported by the responses of one pull. */
export class ReplyTotals {
  readonly #seen: { total: number | undefined; items: number }[] = []
  readonly #known: TotalKind | undefined

  constructor(known: TotalKind | undefined) {
    this.#known = known
  }

  add(items: number, total: unknown): void {
    this.#seen.push({ items, total: typeof total === 'number' ? total : undefined })
  }

  /** The total, if all responses agree on it. */
  get total(): number | undefined {
    if (this.totals === 'page') return undefined
    const [only, ...others] = new Set(this.#seen.map(({ total }) => total))
    return others.length === 0 ? only : undefined
  }

  /** Responses of different lengths show whether the host counts the list or the page. */
  get totals(): TotalKind | undefined {
    const lengths = new Set(this.#seen.map(({ items }) => items))
    const totals = new Set(this.#seen.map(({ total }) => total))
    if (lengths.size < 2 || totals.has(undefined)) return this.#known
    if (totals.size === 1) return 'all'
    return this.#seen.every(({ total, items }) => total === items) ? 'page' : this.#known
  }
}

/** Random choices that are reproducible from a seed. */
export interface SeededRandom {
  /** A number in [0, 1). */
  next(): number
  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Returns true with probability `share`. */
  chance(share: number): boolean
  /** A random sample without replacement. */
  sample<Item>(items: readonly Item[], count: number): Item[]
}

/** Creates a separate sequence per seed and purpose, so that one additional draw does not change every page. */
export const seededRandom = (seed: number, purpose: string): SeededRandom =>
  randomOf(mulberry32(hash(`${seed}:${purpose}`)))

/** Returns random choices drawn from a generator of numbers in [0, 1). */
export function randomOf(next: () => number): SeededRandom {
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] as (typeof items)[number],
    chance: (share) => next() < share,
    sample: (items, count) => {
      const rest = [...items]
      return Array.from(
        { length: Math.min(count, rest.length) },
        () => rest.splice(between(0, rest.length - 1), 1)[0] as (typeof items)[number],
      )
    },
  }
}

/** Returns a generator of numbers in [0, 1) that produces the same sequence for the same seed. */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value >>> 0
}

import { sleep } from '../lib/backoff.ts'

/**
 * Where the shared rate is kept. In one process it is a variable; processes that share one budget keep it in a database.
 * Both count by virtual time: a slot is a moment at which one request may start.
 */
export interface RateStore {
  /** Takes `slots` slots, and says in how many milliseconds the first begins (0 or less: at once) and how far apart they are. */
  reserve(slots: number): Promise<{ startsIn: number; gap: number }>
  /** Nobody starts a request for this long. */
  pause(milliseconds: number): Promise<void>
}

export interface RateLimits {
  perSecond: number
  /** Requests that may start at once after a rest. Minimum: 1. */
  burst: number
}

export interface RateBudget {
  /** Resolves when one more request may start. */
  take(signal?: AbortSignal): Promise<void>
  pause(milliseconds: number): Promise<void>
}

/** A budget for this process alone. */
export function memoryStore({ perSecond, burst }: RateLimits): RateStore {
  const gap = 1000 / perSecond
  let next = Number.NEGATIVE_INFINITY
  return {
    async reserve(slots) {
      const now = performance.now()
      const first = Math.max(next, now - (burst - 1) * gap)
      next = first + slots * gap
      return { startsIn: first - now, gap }
    },
    async pause(milliseconds) {
      next = Math.max(next, performance.now() + milliseconds)
    },
  }
}

/**
 * Spends a store's slots. `lease` slots are taken at a time: one round trip then serves several requests, and at the end at most
 * `lease - 1` slots stay unused.
 */
export function createRateBudget(store: RateStore, lease = 1): RateBudget {
  let slots: number[] = []
  let reserving: Promise<void> | undefined
  const reserve = async (): Promise<void> => {
    const { startsIn, gap } = await store.reserve(lease)
    const first = performance.now() + startsIn
    slots = Array.from({ length: lease }, (_, index) => first + index * gap)
  }
  return {
    async take(signal) {
      while (slots.length === 0) {
        reserving ??= reserve().finally(() => {
          reserving = undefined
        })
        await reserving
      }
      const wait = (slots.shift() as number) - performance.now()
      if (wait > 0) await sleep(wait, signal)
    },
    async pause(milliseconds) {
      slots = []
      await store.pause(milliseconds)
    },
  }
}

import { sleep } from '../../src/lib/backoff.ts'

/**
 * Stores a rate budget: in memory for one process, or in a database for several. A slot is a time at which one request
 * may start.
 */
export interface RateStore {
  /**
   * Reserves slots. `startsIn` is the number of milliseconds until the first slot (0 or less if it is already due), and
   * `gap` is the number of milliseconds between two slots.
   */
  reserve(slots: number): Promise<{ startsIn: number; gap: number }>
  /** Delays all later slots by the given time. */
  pause(milliseconds: number): Promise<void>
}

export interface RateLimits {
  /** The rate can change at any time. Slots that are already reserved keep their times. */
  perSecond: number
  /** Maximum requests in a burst after an idle period, at least 1. */
  burst: number
}

export interface RateBudget {
  /** Resolves when the next request may start. */
  take(signal?: AbortSignal): Promise<void>
  pause(milliseconds: number): Promise<void>
}

/** Keeps the budget of one process in memory. */
export function memoryStore(limits: RateLimits): RateStore {
  let next = Number.NEGATIVE_INFINITY
  return {
    async reserve(slots) {
      const gap = 1000 / limits.perSecond
      const now = performance.now()
      const first = Math.max(next, now - (limits.burst - 1) * gap)
      next = first + slots * gap
      return { startsIn: first - now, gap }
    },
    async pause(milliseconds) {
      next = Math.max(next, performance.now() + milliseconds)
    },
  }
}

/** Reserves `lease` slots at a time to save round trips. At most `lease - 1` reserved slots remain unused. */
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

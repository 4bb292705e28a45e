import PQueue from 'p-queue'
import type { Limiter } from '../../src/client/index.ts'
import type { RateBudget } from './rate-budget.ts'

/**
 * Limits concurrent requests and, with a budget, their rate. Requests that wait for the budget do not occupy a slot.
 */
export function createLimiter(concurrency: number, budget: RateBudget | undefined): Limiter {
  const queue = new PQueue({ concurrency })
  return {
    async acquire(signal) {
      await budget?.take(signal)
      return await new Promise<() => void>((resolve, reject) => {
        const occupy = () => new Promise<void>((release) => resolve(release))
        queue.add(occupy, signal ? { signal } : {}).catch(reject)
      })
    },
  }
}

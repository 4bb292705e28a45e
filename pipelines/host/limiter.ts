import PQueue from 'p-queue'
import type { Limiter } from '../../src/client/index.ts'
import type { RateBudget } from './rate-budget.ts'

/**
 * Limits concurrent requests and, if a budget is given, the request rate. A request that waits for the budget does not
 * count as concurrent.
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

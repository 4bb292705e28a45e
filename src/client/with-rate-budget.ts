import type { Send } from './call.ts'
import type { RateBudget } from './rate-budget.ts'
import { MAX_RETRY_AFTER, retryAfterOf } from './retry-after.ts'

/** Waits for the rate budget. A 429 pauses all users of the budget, for at most `MAX_RETRY_AFTER`. */
export function withRateBudget(send: Send, budget: RateBudget): Send {
  return async (call) => {
    await budget.take(call.signal)
    const reply = await send(call)
    const wait = reply.status === 429 ? retryAfterOf(reply) : undefined
    if (wait !== undefined) await budget.pause(Math.min(wait, MAX_RETRY_AFTER))
    return reply
  }
}

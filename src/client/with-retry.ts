import type { BackoffOptions } from '../lib/backoff.ts'
import { backoffDelay, sleep } from '../lib/backoff.ts'
import { AppError } from '../lib/errors.ts'
import type { Call, Reply, Send } from './call.ts'
import { MAX_RETRY_AFTER, retryAfterOf } from './retry-after.ts'

export interface RetryOptions extends BackoffOptions {
  /** Maximum `Retry-After` to wait for, in milliseconds. @default 120_000 */
  maxRetryAfter?: number
  onRetry?: (call: Call, attempt: number, reason: string) => void
}

const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500

/**
 * Retries after 408, 429, 5xx and connection errors, waiting for `Retry-After` or with exponential backoff. A call that is not
 * repeatable is retried only after a 429. Resolves with the last response or rejects with the last error.
 */
export function withRetry(send: Send, options: RetryOptions = {}): Send {
  const attempts = options.attempts ?? 5
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce(send, call)
      const wait = attempt < attempts ? waitAfter(outcome, call, attempt, options) : undefined
      if (wait === undefined) return 'reply' in outcome ? outcome.reply : raise(outcome.error)
      options.onRetry?.(call, attempt, 'reply' in outcome ? `status ${outcome.reply.status}` : outcome.error.message)
      await sleep(wait, call.signal)
    }
  }
}

type Outcome = { reply: Reply } | { error: AppError }

async function attemptOnce(send: Send, call: Call): Promise<Outcome> {
  try {
    return { reply: await send(call) }
  } catch (error) {
    if (error instanceof AppError && error.retryable) return { error }
    throw error
  }
}

/** Milliseconds until the next attempt; undefined for no retry. */
function waitAfter(outcome: Outcome, call: Call, attempt: number, options: RetryOptions): number | undefined {
  if ('error' in outcome) return call.repeatable ? backoffDelay(attempt, options) : undefined
  const { reply } = outcome
  if (!isTransient(reply.status) || (!call.repeatable && reply.status !== 429)) return undefined
  const asked = retryAfterOf(reply)
  if (asked === undefined) return backoffDelay(attempt, options)
  return asked <= (options.maxRetryAfter ?? MAX_RETRY_AFTER) ? asked : undefined
}

function raise(error: AppError): never {
  throw error
}

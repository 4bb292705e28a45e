import { AppError } from '../lib/errors.ts'
import type { Send } from './call.ts'
import { callName } from './call.ts'

/** Aborts a call after `milliseconds`, including the response body. */
export function withTimeout(send: Send, milliseconds: number): Send {
  return async (call) => {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), milliseconds)
    try {
      const signal = call.signal ? AbortSignal.any([call.signal, timeout.signal]) : timeout.signal
      return await send({ ...call, signal })
    } catch (error) {
      call.signal?.throwIfAborted()
      if (!timeout.signal.aborted) throw error
      throw new AppError('upstream_failed', `${callName(call)} timed out after ${milliseconds / 1000} s.`, {
        cause: error,
        retryable: true,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

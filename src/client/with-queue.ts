import type PQueue from 'p-queue'
import type { Send } from './call.ts'

/** Limits concurrent calls to the concurrency of the queue. */
export function withQueue(send: Send, queue: PQueue): Send {
  return (call) => queue.add(() => send(call), call.signal ? { signal: call.signal } : {})
}

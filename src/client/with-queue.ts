import type PQueue from 'p-queue'
import type { Send } from './call.ts'

/** Lets as many calls be under way as the queue allows; the others wait their turn. */
export function withQueue(send: Send, queue: PQueue): Send {
  return (call) => queue.add(() => send(call), call.signal ? { signal: call.signal } : {})
}

import { Script } from 'node:vm'
import { messageOf } from '../../../lib/errors.ts'
import type { ReadingTask } from './read-pages.ts'
import { runReading } from './read-pages.ts'

/** What a reader is told: one at a time. */
export interface ReaderTask extends ReadingTask {
  /** Milliseconds. */
  limit: number
}

/** What it replies. */
export type ReaderReply = { output: ReturnType<typeof runReading> } | { error: string }

// Its parent says when it ends. A terminal's Ctrl-C is for that one, which may still wait for a reading.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})

process.on('message', (task: ReaderTask) => {
  const reply = (message: ReaderReply): unknown => process.send?.(message)
  try {
    Object.assign(globalThis, { read: () => runReading(task) })
    // For when nobody is left to end this process: while it reads it hears nothing.
    reply({ output: new Script('read()').runInThisContext({ timeout: 2 * task.limit }) })
  } catch (error) {
    reply({ error: messageOf(error) })
  }
})

process.send?.('ready')

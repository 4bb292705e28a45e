import { Script } from 'node:vm'
import { messageOf } from '../../../lib/errors.ts'
import type { ReadingTask } from './read-pages.ts'
import { runReading } from './read-pages.ts'

/** A reading sent to the process, one at a time. */
export interface ReaderTask extends ReadingTask {
  /** Time limit in milliseconds. */
  limit: number
}

export type ReaderReply = { output: ReturnType<typeof runReading> } | { error: string }

// Only the parent ends this process: Ctrl-C in a terminal signals the whole group while a reading may be in progress.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})

process.on('message', (task: ReaderTask) => {
  const reply = (message: ReaderReply): unknown => process.send?.(message)
  try {
    Object.assign(globalThis, { read: () => runReading(task) })
    // Stops a reading whose parent died: the process handles no events while it reads.
    reply({ output: new Script('read()').runInThisContext({ timeout: 2 * task.limit }) })
  } catch (error) {
    reply({ error: messageOf(error) })
  }
})

process.send?.('ready')

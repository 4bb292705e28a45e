import { Script } from 'node:vm'
import { messageOf } from '../../../lib/errors.ts'
import type { ReadingTask } from './read-pages.ts'
import { runReading } from './read-pages.ts'

/** A reading to run. The process receives one reading at a time. */
export interface ReaderTask extends ReadingTask {
  /** Time limit in milliseconds. */
  limit: number
}

export type ReaderReply = { output: ReturnType<typeof runReading>; cpu: number } | { error: string }

// Ignore signals, so that only the parent stops this process. Ctrl-C signals the whole process group, even while a
// reading is in progress.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})

process.on('message', (task: ReaderTask) => {
  const reply = (message: ReaderReply): unknown => process.send?.(message)
  try {
    Object.assign(globalThis, { read: () => runReading(task) })
    const before = process.threadCpuUsage()
    // If the parent has died, this timeout stops the reading, because the process cannot handle events while it reads.
    const output = new Script('read()').runInThisContext({ timeout: 2 * task.limit }) as ReturnType<typeof runReading>
    const { user, system } = process.threadCpuUsage(before)
    reply({ output, cpu: (user + system) / 1e6 })
  } catch (error) {
    reply({ error: messageOf(error) })
  }
})

process.send?.('ready')

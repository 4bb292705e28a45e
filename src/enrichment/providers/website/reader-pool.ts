import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import type { ReadingTask, ReadPages } from './read-pages.ts'
import type { ReaderLimits } from './reader.ts'
import { Reader } from './reader.ts'

/** The section `enrichment.reading` of config/talhouse.yaml. */
export interface ReadingSettings extends ReaderLimits {
  /** 0: one per processor, at least two. */
  processes: number
}

export interface ReaderPool extends AsyncDisposable {
  readPages: ReadPages
}

/** An idle process is stopped after this time. */
const IDLE_MS = 60_000

/**
 * Child processes that read pages, so that a hostile page can only fail its own reading. A process that fails or exceeds its time or memory
 * limit is killed and replaced. Processes start on demand.
 */
export function openReaderPool({ processes, ...limits }: ReadingSettings): ReaderPool {
  const queue = new PQueue({ concurrency: processes > 0 ? processes : Math.max(2, availableParallelism()) })
  const all = new Set<Reader>()
  const idle = new Set<Reader>()
  function start(): Reader {
    const reader = new Reader(limits, () => {
      all.delete(reader)
      idle.delete(reader)
    })
    all.add(reader)
    return reader
  }
  async function read(task: ReadingTask, signal: AbortSignal): Promise<unknown> {
    // The most recently used one, so that the others become idle and stop.
    const reader = [...idle].at(-1) ?? start()
    idle.delete(reader)
    const output = await reader.read(task, signal)
    idle.add(reader)
    reader.stopAfter(IDLE_MS)
    return output
  }
  return {
    readPages: ((name, input, signal) => queue.add(() => read({ name, input }, signal), { signal })) as ReadPages,
    async [Symbol.asyncDispose]() {
      await Promise.all([...all].map((reader) => reader.stop()))
    },
  }
}

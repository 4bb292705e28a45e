import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import type { ReadingTask, ReadPages } from './read-pages.ts'
import type { ReaderLimits } from './reader.ts'
import { Reader } from './reader.ts'

/** The section `enrichment.reading` of config/talhouse.yaml. */
export interface ReadingSettings extends ReaderLimits {
  /** 0: one for each processor, two at the least. */
  processes: number
}

export interface ReaderPool extends AsyncDisposable {
  readPages: ReadPages
}

/** Milliseconds after which a process without work ends. */
const IDLE = 60_000

/**
 * Processes that read pages, so that a page made to be slow or large ends its own reading and nothing else. One that fails, takes too long
 * or too much memory is ended, and another takes its place. They start when they are needed.
 */
export function openReaderPool({ processes, ...limits }: ReadingSettings): ReaderPool {
  const turns = new PQueue({ concurrency: processes > 0 ? processes : Math.max(2, availableParallelism()) })
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
    // The one used last: the others may have their rest, and end.
    const reader = [...idle].at(-1) ?? start()
    idle.delete(reader)
    const output = await reader.read(task, signal)
    idle.add(reader)
    reader.endAfter(IDLE)
    return output
  }
  return {
    readPages: ((name, input, signal) => turns.add(() => read({ name, input }, signal), { signal })) as ReadPages,
    async [Symbol.asyncDispose]() {
      await Promise.all([...all].map((reader) => reader.end()))
    },
  }
}

import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import type { ReadingTask, ReadPages } from './read-pages.ts'
import type { ReaderLimits } from './reader.ts'
import { Reader } from './reader.ts'

/** The `enrichment.reading` section of config/talhouse.yaml. */
export interface ReadingSettings extends ReaderLimits {
  /** Maximum number of processes. 0 means one per processor, at least two. */
  processes: number
}

export interface ReaderPool extends AsyncDisposable {
  readPages: ReadPages
}

/**
 * Milliseconds after which an idle process is stopped. A process uses 150 MB, and starting one takes half a second.
 */
const IDLE_MS = 10_000

/**
 * Creates a pool of child processes that read pages, so that a hostile page affects only its own reading. Processes are
 * started on demand. A process that fails or exceeds a limit is killed and replaced. `onReading` is called after each
 * reading that ends within its limits.
 */
export function openReaderPool(
  { processes, ...limits }: ReadingSettings,
  onReading: (task: ReadingTask, cpuSeconds: number) => void = () => {},
): ReaderPool {
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
    // Prefer the most recently used process, so that the others stay idle and are stopped.
    const reader = [...idle].at(-1) ?? start()
    idle.delete(reader)
    const { output, cpu } = await reader.read(task, signal)
    onReading(task, cpu)
    idle.add(reader)
    reader.stopAfter(IDLE_MS, () => idle.delete(reader))
    return output
  }
  return {
    readPages: ((name, input, signal) => queue.add(() => read({ name, input }, signal), { signal })) as ReadPages,
    async [Symbol.asyncDispose]() {
      await Promise.all([...all].map((reader) => reader.stop()))
    },
  }
}

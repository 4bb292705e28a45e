import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../../lib/errors.ts'
import type { ReadingTask } from './read-pages.ts'
import type { ReaderReply, ReaderTask } from './reader-process.ts'

export interface ReaderLimits {
  /** For one reading. */
  seconds: number
  /** Heap of the process. */
  megabytes: number
}

/** A process that reads pages, one thing at a time. */
export class Reader {
  readonly #limits: ReaderLimits
  readonly #child: ChildProcess
  readonly #started: Promise<unknown>
  /** What the process says next. */
  #word = newWord()
  #rest: NodeJS.Timeout | undefined

  /** `ended` is called once, whatever ended it. */
  constructor(limits: ReaderLimits, ended: () => void) {
    this.#limits = limits
    this.#started = this.#word.promise
    // It deals with strangers' pages: nothing of the environment is its concern.
    this.#child = fork(fileURLToPath(new URL('reader-process.ts', import.meta.url)), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${limits.megabytes}`],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (word) => this.#word.resolve(word))
    this.#child.on('error', (error) => this.#word.reject(error))
    this.#child.once('exit', (code, signal) => {
      clearTimeout(this.#rest)
      this.#word.reject(this.#whyItEnded(signal ?? `code ${code}`))
      ended()
    })
  }

  /**
   * Reads, and is of no further use when it throws: `unprocessable` for what takes too much memory, `unavailable` for what takes too long, and
   * the signal's reason.
   */
  async read(task: ReadingTask, signal: AbortSignal): Promise<unknown> {
    clearTimeout(this.#rest)
    const stop = (): void => this.#word.reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const limit = this.#limits.seconds * 1000
    let timer: NodeJS.Timeout | undefined
    try {
      signal.throwIfAborted()
      await this.#started
      this.#word = newWord()
      // From here on: how long a process takes to start says nothing of the page.
      timer = setTimeout(() => this.#word.reject(tooLong(this.#limits)), limit)
      this.#child.send({ ...task, limit } satisfies ReaderTask)
      const reply = (await this.#word.promise) as ReaderReply
      if ('error' in reply) throw new Error(reply.error)
      return reply.output
    } catch (error) {
      this.#child.kill('SIGKILL')
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  /** Ends it unless it is asked again within so many milliseconds. */
  endAfter(milliseconds: number): void {
    this.#rest = setTimeout(() => this.#child.kill('SIGKILL'), milliseconds)
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  /** V8 aborts at the end of its heap, and the system kills when its own memory ends. */
  #whyItEnded(how: string): Error {
    return how === 'SIGABRT' || how === 'SIGKILL'
      ? new AppError('unprocessable', `more than ${this.#limits.megabytes} MB would be needed to read it`)
      : new Error(`the process that was to read it ended: ${how}`)
  }
}

/** A busy machine may be to blame: later it may do. */
const tooLong = ({ seconds }: ReaderLimits): AppError =>
  new AppError('unavailable', `more than ${seconds} s would be needed to read it`, { retryable: true })

function newWord(): PromiseWithResolvers<unknown> {
  const word = Promise.withResolvers<unknown>()
  // Of one that ends while nobody listens there is nothing to tell.
  word.promise.catch(() => {})
  return word
}

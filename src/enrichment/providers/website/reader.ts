import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../../lib/errors.ts'
import type { ReadingTask } from './read-pages.ts'
import type { ReaderReply, ReaderTask } from './reader-process.ts'

export interface ReaderLimits {
  /** Time limit for one reading, in seconds. */
  seconds: number
  /** Heap limit of a process, in megabytes. */
  megabytes: number
}

/** The result of a reading. */
export interface Reading {
  output: unknown
  /** CPU time of the reading, in seconds. */
  cpu: number
}

/** Path of the child process's script. The extension is `.ts` in the repository and `.js` in the package. */
const READER_PROCESS = fileURLToPath(new URL(`reader-process${extname(import.meta.url)}`, import.meta.url))

/** A child process that runs one reading at a time. */
export class Reader {
  readonly #limits: ReaderLimits
  readonly #child: ChildProcess
  readonly #started: Promise<unknown>
  #reply = newReply()
  #idleTimer: NodeJS.Timeout | undefined

  /** Starts the process. `onExit` is called once, when the process exits. */
  constructor(limits: ReaderLimits, onExit: () => void) {
    this.#limits = limits
    this.#started = this.#reply.promise
    // The process reads hostile input, so it receives no environment variables.
    this.#child = fork(READER_PROCESS, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${limits.megabytes}`],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (reply) => this.#reply.resolve(reply))
    this.#child.on('error', (error) => this.#reply.reject(error))
    this.#child.once('exit', (code, signal) => {
      clearTimeout(this.#idleTimer)
      this.#reply.reject(this.#exitError(signal ?? `code ${code}`))
      onExit()
    })
  }

  /**
   * Runs a reading. Throws `unprocessable` if the reading exceeds the memory limit, `unavailable` if it exceeds the
   * time limit, and the signal's reason if the signal is aborted. Kills the process after an error.
   */
  async read(task: ReadingTask, signal: AbortSignal): Promise<Reading> {
    clearTimeout(this.#idleTimer)
    const stop = (): void => this.#reply.reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const limit = this.#limits.seconds * 1000
    let timer: NodeJS.Timeout | undefined
    try {
      signal.throwIfAborted()
      await this.#started
      this.#reply = newReply()
      // The time limit does not include the start of the process.
      timer = setTimeout(() => this.#reply.reject(tooLong(this.#limits)), limit)
      this.#child.send({ ...task, limit } satisfies ReaderTask)
      const reply = (await this.#reply.promise) as ReaderReply
      if ('error' in reply) throw new Error(reply.error)
      return reply
    } catch (error) {
      this.#child.kill('SIGKILL')
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  /**
   * Stops the process after it has been idle for the given number of milliseconds. `onStop` is called first, so that no
   * reading is sent to a process that is being killed.
   */
  stopAfter(milliseconds: number, onStop: () => void): void {
    this.#idleTimer = setTimeout(() => {
      onStop()
      this.#child.kill('SIGKILL')
    }, milliseconds)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  /** V8 aborts the process at its heap limit, and the kernel kills the process if memory runs out. */
  #exitError(cause: string): Error {
    return cause === 'SIGABRT' || cause === 'SIGKILL'
      ? new AppError('unprocessable', `reading the page needs more than ${this.#limits.megabytes} MB`)
      : new Error(`the reading process exited: ${cause}`)
  }
}

/** The error is retryable, because a busy machine may be the cause. */
const tooLong = ({ seconds }: ReaderLimits): AppError =>
  new AppError('unavailable', `reading the page takes more than ${seconds} s`, { retryable: true })

function newReply(): PromiseWithResolvers<unknown> {
  const reply = Promise.withResolvers<unknown>()
  // A process may exit while no reading is pending, so the rejection must not count as unhandled.
  reply.promise.catch(() => {})
  return reply
}

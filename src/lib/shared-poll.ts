import { setTimeout as wait } from 'node:timers/promises'

interface PollOptions {
  /** @default 1000 */
  everyMs?: number
  /**
   * Number of polls after which an unchanged value is yielded again, so that dead connections are detected. @default 15
   */
  repeatAfter?: number
}

/** Reads a value periodically while at least one reader waits for it, with one loop for all readers. */
export class SharedPoll<Value> {
  readonly #read: () => Promise<Value>
  readonly #everyMs: number
  readonly #repeatAfter: number
  #readers = 0
  #version = 0
  #value: { value: Value } | undefined
  #isPolling = false
  #next = nextValue()

  constructor(read: () => Promise<Value>, { everyMs = 1_000, repeatAfter = 15 }: PollOptions = {}) {
    this.#read = read
    this.#everyMs = everyMs
    this.#repeatAfter = repeatAfter
  }

  get isIdle(): boolean {
    return this.#readers === 0
  }

  /** Yields the current value and each new value, until the signal is aborted. Throws the error of a failed read. */
  async *watch(signal: AbortSignal): AsyncGenerator<Value> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    this.#readers += 1
    if (!this.#isPolling) void this.#poll()
    try {
      for (let seen = -1; !signal.aborted; ) {
        if (this.#value && seen !== this.#version) {
          seen = this.#version
          yield this.#value.value
        } else await Promise.race([this.#next.promise, aborted])
      }
    } finally {
      this.#readers -= 1
    }
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    this.#value = undefined
    let last = ''
    try {
      for (let polls = 0; this.#readers > 0; polls += 1) {
        const value = await this.#read()
        const text = JSON.stringify(value)
        if (text !== last || polls >= this.#repeatAfter) {
          last = text
          polls = 0
          this.#value = { value }
          this.#version += 1
          this.#wake().resolve()
        }
        await wait(this.#everyMs, undefined, { ref: false })
      }
    } catch (error) {
      this.#wake().reject(error)
    } finally {
      this.#isPolling = false
    }
  }

  #wake() {
    const current = this.#next
    this.#next = nextValue()
    return current
  }
}

/** Resolves with the next value. Rejections without a waiting reader are ignored. */
function nextValue() {
  const next = Promise.withResolvers<void>()
  next.promise.catch(() => undefined)
  return next
}

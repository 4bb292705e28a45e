import type { Clock } from '../../../lib/clock.ts'

export interface CircuitBreakerOptions {
  /** Failures in a row after which nothing more is asked. */
  failures: number
  /** How long then nothing is asked, in milliseconds. */
  rest: number
}

/** Keeps from asking a source that is down: it would only hold up every task. After the rest, one question tells whether it is back. */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  readonly #clock: Clock
  #failures = 0
  #restUntil = 0

  constructor(options: CircuitBreakerOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  /** Milliseconds until it may be asked again; 0 when it may be asked now. */
  get rest(): number {
    return Math.max(0, this.#restUntil - this.#clock.now().getTime())
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** `rest`: how long the source itself asked to be left alone, in milliseconds. */
  failed(rest?: number): void {
    this.#failures += 1
    if (rest !== undefined || this.#failures >= this.#options.failures)
      this.#restUntil = this.#clock.now().getTime() + Math.max(rest ?? 0, this.#options.rest)
  }
}

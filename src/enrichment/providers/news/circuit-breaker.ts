import type { Clock } from '../../../lib/clock.ts'

export interface CircuitBreakerOptions {
  /** Number of consecutive failures that opens the breaker. */
  failures: number
  /** Time that the breaker stays open, in milliseconds. */
  cooldown: number
}

/** Stops requests to a failing source. After the cooldown, the next request tests the source. */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  readonly #clock: Clock
  #failures = 0
  #openUntil = 0

  constructor(options: CircuitBreakerOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  /** Milliseconds until the next request is allowed; 0 if requests are allowed. */
  get remaining(): number {
    return Math.max(0, this.#openUntil - this.#clock.now().getTime())
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** Records a failure. `retryAfter`, a wait in milliseconds requested by the source, opens the breaker immediately. */
  failed(retryAfter?: number): void {
    this.#failures += 1
    if (retryAfter !== undefined || this.#failures >= this.#options.failures)
      this.#openUntil = this.#clock.now().getTime() + Math.max(retryAfter ?? 0, this.#options.cooldown)
  }
}

import type { Clock } from '../../../lib/clock.ts'

export interface CircuitBreakerOptions {
  /** Consecutive failures that open the breaker. */
  failures: number
  /** Milliseconds for which it stays open. */
  cooldown: number
}

/** Stops requests to a failing source; after the cooldown the next request is a trial. */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  readonly #clock: Clock
  #failures = 0
  #openUntil = 0

  constructor(options: CircuitBreakerOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  /** Milliseconds until the next request is allowed; 0 when closed. */
  get remaining(): number {
    return Math.max(0, this.#openUntil - this.#clock.now().getTime())
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** `retryAfter`: milliseconds requested by the source, which open the breaker at once. */
  failed(retryAfter?: number): void {
    this.#failures += 1
    if (retryAfter !== undefined || this.#failures >= this.#options.failures)
      this.#openUntil = this.#clock.now().getTime() + Math.max(retryAfter ?? 0, this.#options.cooldown)
  }
}

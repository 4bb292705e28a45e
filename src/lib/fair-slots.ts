export interface FairSlotsOptions {
  /** Maximum number of slots per user. */
  perUser: number
  /** Maximum number of slots across all users. @default unlimited */
  total?: number
}

interface User {
  taken: number
  waiting: (() => void)[]
}

/**
 * Limits concurrent work per user and in total. Waiting users take turns, regardless of the number of calls that each
 * user has queued.
 */
export class FairSlots {
  readonly #perUser: number
  readonly #total: number
  #taken = 0
  /** Users that hold or wait for slots. The user who most recently freed a slot is at the end. */
  readonly #users = new Map<string, User>()

  constructor({ perUser, total = Number.POSITIVE_INFINITY }: FairSlotsOptions) {
    this.#perUser = perUser
    this.#total = total
  }

  /** Returns the number of a user's waiting calls. */
  waiting(user: string): number {
    return this.#users.get(user)?.waiting.length ?? 0
  }

  /** Waits for a slot. Disposing the result frees the slot; disposing it again has no effect. */
  async acquire(user: string): Promise<Disposable> {
    const state = this.#users.get(user) ?? { taken: 0, waiting: [] }
    this.#users.set(user, state)
    const granted = new Promise<void>((resolve) => state.waiting.push(resolve))
    this.#grant()
    await granted
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return
        isHeld = false
        this.#free(user, state)
      },
    }
  }

  #free(user: string, state: User): void {
    this.#taken -= 1
    state.taken -= 1
    this.#users.delete(user)
    if (state.taken > 0 || state.waiting.length > 0) this.#users.set(user, state)
    this.#grant()
  }

  /** Grants at most one slot. This method is called once for each freed slot and for each new request. */
  #grant(): void {
    if (this.#taken >= this.#total) return
    for (const state of this.#users.values()) {
      if (state.taken >= this.#perUser || state.waiting.length === 0) continue
      this.#taken += 1
      state.taken += 1
      state.waiting.shift()?.()
      return
    }
  }
}

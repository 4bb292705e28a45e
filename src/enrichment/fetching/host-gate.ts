import PQueue from 'p-queue'

export interface HostLimits {
  /** Requests a second to one host; 0: no limit. */
  perSecond: number
  /** Requests to one host at the same time. */
  concurrency: number
}

/** Above this many hosts the ones at rest are forgotten. */
const MANY_HOSTS = 500

/** Lets requests to one host pass at a pace its owner would not mind. Hosts do not wait for each other. */
export class HostGate {
  readonly #limits: HostLimits
  readonly #queues = new Map<string, { queue: PQueue; lastUsed: number; interval: number }>()

  constructor(limits: HostLimits) {
    this.#limits = limits
  }

  /** Runs the job when the host's turn has come. `delay`: seconds between requests that the host itself asks for. */
  async pass<Result>(host: string, job: () => Promise<Result>, signal: AbortSignal, delay = 0): Promise<Result> {
    const entry = this.#entryFor(host, delay)
    const result = await entry.queue.add(job, { signal })
    entry.lastUsed = Date.now()
    return result as Result
  }

  /** How many hosts are remembered. */
  get size(): number {
    return this.#queues.size
  }

  #entryFor(host: string, delay: number) {
    const { perSecond, concurrency } = this.#limits
    // A host may slow us down, not speed us up, and with no limit set the operator owns the hosts.
    const interval = perSecond > 0 ? Math.max(1000 / perSecond, delay * 1000) : 0
    const known = this.#queues.get(host)
    if (known && known.interval >= interval) return known
    if (this.#queues.size > MANY_HOSTS) this.#forgetIdle()
    const queue = new PQueue({ concurrency, ...(interval > 0 && { interval, intervalCap: 1, strict: true }) })
    const entry = { queue, lastUsed: Date.now(), interval }
    this.#queues.set(host, entry)
    return entry
  }

  #forgetIdle(): void {
    const now = Date.now()
    for (const [host, { queue, lastUsed, interval }] of this.#queues)
      if (queue.size === 0 && queue.pending === 0 && now - lastUsed > interval) this.#queues.delete(host)
  }
}

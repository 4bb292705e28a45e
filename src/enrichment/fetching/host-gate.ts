import PQueue from 'p-queue'
import { sleep } from '../../lib/backoff.ts'
import { hostMatches } from '../../lib/connect-to.ts'
import type { HostRateLimit } from './host-rate-limit.ts'
import type { FetchingSettings } from './settings.ts'

export type GateSettings = Pick<FetchingSettings, 'requests_per_second' | 'connections_per_host' | 'own_hosts'>

/** Lets requests to one host pass at a hostRateLimit its owner would not mind. Hosts do not wait for each other. */
export class HostGate {
  readonly #settings: GateSettings
  readonly #hostRateLimit: HostRateLimit
  readonly #wait: typeof sleep
  /** One for each host that is being asked now. */
  readonly #queues = new Map<string, { queue: PQueue; waiting: number }>()

  /** `wait` is for tests. */
  constructor(settings: GateSettings, hostRateLimit: HostRateLimit, wait: typeof sleep = sleep) {
    this.#settings = settings
    this.#hostRateLimit = hostRateLimit
    this.#wait = wait
  }

  /**
   * Runs the job when the host's turn has come. `delay`: seconds between requests that the host itself asks for. Throws `unavailable` when no turn
   * is near.
   */
  async pass<Result>(host: string, job: () => Promise<Result>, signal: AbortSignal, delay = 0): Promise<Result> {
    const interval = this.#intervalOf(host, delay)
    const entry = this.#queues.get(host) ?? {
      queue: new PQueue({ concurrency: this.#settings.connections_per_host }),
      waiting: 0,
    }
    this.#queues.set(host, entry)
    entry.waiting += 1
    try {
      return await entry.queue.add(
        async () => {
          if (interval > 0) await this.#wait((await this.#hostRateLimit.takeTurn(host, interval)).wait, signal)
          return await job()
        },
        { signal },
      )
    } finally {
      entry.waiting -= 1
      if (entry.waiting === 0) this.#queues.delete(host)
    }
  }

  /** The host asked to be left alone for so many seconds. */
  async rest(host: string, seconds: number): Promise<void> {
    if (this.#intervalOf(host, 0) > 0) await this.#hostRateLimit.rest(host, seconds)
  }

  /** How many hosts are being asked. */
  get size(): number {
    return this.#queues.size
  }

  /** Milliseconds; 0: no hostRateLimit is kept. */
  #intervalOf(host: string, delay: number): number {
    const { requests_per_second: perSecond, own_hosts = [] } = this.#settings
    // A host may slow us down, not speed us up; with no limit set, and for hosts of one's own, the operator owns the hosts.
    if (perSecond === 0 || own_hosts.some((pattern) => hostMatches(pattern, host))) return 0
    return 1000 * Math.max(1 / perSecond, delay)
  }
}

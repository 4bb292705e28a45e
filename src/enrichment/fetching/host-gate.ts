import PQueue from 'p-queue'
import { sleep } from '../../lib/backoff.ts'
import { hostMatches } from '../../lib/connect-to.ts'
import type { HostRateLimit } from './host-rate-limit.ts'
import type { FetchingSettings } from './settings.ts'

export type GateSettings = Pick<FetchingSettings, 'requests_per_second' | 'connections_per_host' | 'own_hosts'>

/**
 * Runs requests within the rate and connection limits of each host. A slow host does not delay requests to other hosts.
 */
export class HostGate {
  readonly #settings: GateSettings
  readonly #hostRateLimit: HostRateLimit
  readonly #wait: typeof sleep
  /** Queues for hosts with requests in progress or waiting. */
  readonly #queues = new Map<string, { queue: PQueue; waiting: number }>()

  /** Tests replace `wait`. */
  constructor(settings: GateSettings, hostRateLimit: HostRateLimit, wait: typeof sleep = sleep) {
    this.#settings = settings
    this.#hostRateLimit = hostRateLimit
    this.#wait = wait
  }

  /**
   * Runs the job in the host's next slot. `delay` is the host's crawl delay in seconds. Throws `unavailable` if the
   * next slot is more than MAX_WAIT_SECONDS away.
   */
  async run<Result>(host: string, job: () => Promise<Result>, signal: AbortSignal, delay = 0): Promise<Result> {
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
          if (interval > 0) await this.#wait(await this.#hostRateLimit.reserveSlot(host, interval), signal)
          return await job()
        },
        { signal },
      )
    } finally {
      entry.waiting -= 1
      if (entry.waiting === 0) this.#queues.delete(host)
    }
  }

  /** Delays all requests to the host by at least the given number of seconds. */
  async pause(host: string, seconds: number): Promise<void> {
    if (this.#intervalOf(host, 0) > 0) await this.#hostRateLimit.pause(host, seconds)
  }

  /** Number of hosts with requests in progress or waiting. */
  get size(): number {
    return this.#queues.size
  }

  /** Milliseconds between requests; 0 for no limit. */
  #intervalOf(host: string, delay: number): number {
    const { requests_per_second: perSecond, own_hosts = [] } = this.#settings
    // A crawl delay can only lower the rate.
    if (perSecond === 0 || own_hosts.some((pattern) => hostMatches(pattern, host))) return 0
    return 1000 * Math.max(1 / perSecond, delay)
  }
}

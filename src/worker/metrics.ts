import type { Registry } from 'prom-client'
import { Counter, Histogram } from 'prom-client'
import type { HostRateLimit } from '../enrichment/fetching/host-rate-limit.ts'
import type { Provider } from '../findings/provider.ts'
import type { TaskEnd } from '../tasks/close-task.ts'
import type { SendResult } from '../webhooks/send.ts'

/** Buckets in seconds. Tasks take from one second (one company) to hours (a large list at one request per second). */
const TASK_BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600, 14_400]
/** Buckets in seconds, up to a provider's timeout of 60 seconds. */
const PROVIDER_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]
/** Buckets in seconds, up to a webhook attempt's timeout of 15 seconds. */
const WEBHOOK_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export interface WorkMetrics {
  onTaskEnd(task: TaskEnd): void
  onWebhookAttempt(result: SendResult): void
  /** Wraps a provider so that its calls are measured. */
  measureProvider(provider: Provider): Provider
  /** Wraps a rate limit so that its waits and pauses are counted. */
  measureCrawl(limit: HostRateLimit): HostRateLimit
}

/** Registers the metrics of a worker. */
export function workMetrics(registry: Registry): WorkMetrics {
  const registers = [registry]
  const tasks = new Histogram({
    name: 'talhouse_task_duration_seconds',
    help: 'Time from the submission of a task to its end.',
    labelNames: ['type', 'state'],
    buckets: TASK_BUCKETS,
    registers,
  })
  const providers = new Histogram({
    name: 'talhouse_provider_duration_seconds',
    help: 'Duration of provider calls by outcome: found, not_found, unavailable or refused.',
    labelNames: ['provider', 'outcome'],
    buckets: PROVIDER_BUCKETS,
    registers,
  })
  const webhooks = new Histogram({
    name: 'talhouse_webhook_attempt_duration_seconds',
    help: 'Duration of webhook attempts by result: delivered, failed or gone (410).',
    labelNames: ['result'],
    buckets: WEBHOOK_BUCKETS,
    registers,
  })
  const crawl = (name: string, help: string) => new Counter({ name: `talhouse_crawl_${name}`, help, registers })
  const waits = crawl('wait_seconds_total', 'Time that requests to crawled hosts waited for the host rate limit.')
  const pauses = crawl('pauses_total', 'Pauses of crawled hosts, such as after a 429 or 503.')
  const paused = crawl('pause_seconds_total', 'Total duration of pauses of crawled hosts.')

  return {
    onTaskEnd: ({ task_type: type, state, seconds }) => tasks.observe({ type, state }, seconds),
    onWebhookAttempt: ({ verdict: result, milliseconds }) => webhooks.observe({ result }, milliseconds / 1000),
    measureProvider: (provider) => ({
      ...provider,
      async find(request) {
        const end = providers.startTimer({ provider: provider.name })
        try {
          const findings = await provider.find(request)
          end({ outcome: findings.status })
          return findings
        } catch (error) {
          end({ outcome: 'unavailable' })
          throw error
        }
      },
    }),
    measureCrawl: (limit) => ({
      async reserveSlot(host, interval) {
        const wait = await limit.reserveSlot(host, interval)
        waits.inc(wait / 1000)
        return wait
      },
      async pause(host, seconds) {
        pauses.inc()
        paused.inc(seconds)
        await limit.pause(host, seconds)
      },
    }),
  }
}

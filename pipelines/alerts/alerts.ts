import { backoffDelay, sleep } from '../../src/lib/backoff.ts'
import { AppError, messageOf } from '../../src/lib/errors.ts'
import type { Log } from '../../src/lib/logger.ts'
import type { Run } from '../runner/runs.ts'
import type { Alert, Channel, Origin } from './alert.ts'
import { alertOf, notStarted } from './alert.ts'
import { send } from './post.ts'

export interface AlertOptions extends Origin {
  channels: readonly Channel[]
  /**
   * URL to request after each run of these pipelines with the outcome `ok`. The service at this URL sends an alert if
   * the requests stop.
   */
  heartbeat?: { url: string; pipelines: readonly string[] } | undefined
  log: Log
  /** Delay in milliseconds before the second attempt to send an alert. @default 1000 */
  firstRetry?: number
}

export interface Alerts {
  /** Reports a finished run. `previous` is the pipeline's preceding run. */
  runEnded(run: Run, previous: Run | undefined): Promise<void>
  /** Reports a run that could not be recorded. */
  runNotStarted(pipeline: string, error: unknown): Promise<void>
}

const ATTEMPTS = 4

/**
 * Creates the reporter that alerts operators about runs. Sending is retried. Errors are logged and do not fail the run.
 */
export function createAlerts({ channels, heartbeat, log, firstRetry = 1000, ...origin }: AlertOptions): Alerts {
  const deliver = async (channel: string, work: () => Promise<void>): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        const isLast = attempt === ATTEMPTS || !(error instanceof AppError && error.retryable)
        if (isLast) return log.error({ channel, attempt, reason: messageOf(error) }, 'the alert was not sent')
        await sleep(backoffDelay(attempt, { first: firstRetry }))
      }
    }
  }
  const sendToAll = async (alert: Alert): Promise<void> => {
    await Promise.all(channels.map((channel) => deliver(channel.name, () => channel.send(alert))))
  }
  return {
    async runEnded(run, previous) {
      const alert = alertOf(run, previous, origin)
      const beats = heartbeat !== undefined && run.outcome === 'ok' && heartbeat.pipelines.includes(run.pipeline)
      await Promise.all([alert && sendToAll(alert), beats && deliver('heartbeat', () => send(heartbeat.url))])
    },
    runNotStarted: (pipeline, error) => sendToAll(notStarted(pipeline, messageOf(error), origin.source)),
  }
}

import { request } from 'undici'
import { messageOf } from '../../src/lib/errors.ts'
import type { Log } from '../../src/lib/logger.ts'
import type { Run } from './runs.ts'

const TIMEOUT_MS = 10_000
const MAX_REASONS = 10

/**
 * Posts `{"text": ...}`, Slack's format, about a run whose outcome is not `ok`. Errors are only logged, because an
 * alert must not fail a run.
 */
export async function alertOn(run: Run, webhookUrl: string | undefined, log: Log): Promise<void> {
  if (!webhookUrl || run.outcome === 'ok' || run.state === 'running') return
  const reasons = run.error_message ? [run.error_message, ...run.reasons] : run.reasons
  const more = reasons.length > MAX_REASONS ? [`... and ${reasons.length - MAX_REASONS} more`] : []
  const lines = [
    `talhouse: ${run.pipeline} ${run.outcome ?? run.state} (run ${run.id}, ${run.started_at})`,
    ...reasons.slice(0, MAX_REASONS).map((reason) => `• ${reason}`),
    ...more,
  ]
  try {
    const { statusCode, body } = await request(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: lines.join('\n') }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
    await body.dump()
    if (statusCode >= 300) log.error({ status: statusCode }, 'alert webhook rejected the request')
  } catch (error) {
    log.error({ reason: messageOf(error) }, 'sending the alert failed')
  }
}

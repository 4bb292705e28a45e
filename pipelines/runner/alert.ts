import { request } from 'undici'
import { messageOf } from '../../src/lib/errors.ts'
import type { Log } from '../../src/lib/logger.ts'
import type { Run } from './runs.ts'

const TIMEOUT_MS = 10_000
const REASONS = 10

/**
 * Tells a webhook about a run that did not go well, in the form that Slack and its like take: `{"text": ...}`. A webhook that does not
 * answer is logged: an alert must never fail a night.
 */
export async function alertOn(run: Run, webhookUrl: string | undefined, log: Log): Promise<void> {
  if (!webhookUrl || run.outcome === 'ok' || run.state === 'running') return
  const reasons = run.error_message ? [run.error_message, ...run.reasons] : run.reasons
  const more = reasons.length > REASONS ? [`... and ${reasons.length - REASONS} more`] : []
  const lines = [
    `talhouse: ${run.pipeline} ${run.outcome ?? run.state} (run ${run.id}, ${run.started_at})`,
    ...reasons.slice(0, REASONS).map((reason) => `• ${reason}`),
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
    if (statusCode >= 300) log.error({ status: statusCode }, 'the alert was not taken')
  } catch (error) {
    log.error({ reason: messageOf(error) }, 'the alert could not be sent')
  }
}

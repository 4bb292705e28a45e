import type { Alert } from '../../../../pipelines/alerts/alert.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'
import { alertSource, openChannels } from '../../support/alerts.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'

export const test: Handler = async ({ config, out }) => {
  const channels = openChannels(config)
  if (channels.length === 0)
    throw new AppError(
      'configuration',
      'No destination is configured. Set TALHOUSE_ALERT_WEBHOOK_URL, TALHOUSE_PAGERDUTY_ROUTING_KEY or TALHOUSE_ALERT_SMTP_URL.',
    )
  const source = alertSource(config)
  const alert: Alert = {
    status: 'test',
    pipeline: 'test',
    summary: 'test alert, no action needed',
    reasons: [],
    source,
  }
  const results = await Promise.all(
    channels.map(async ({ name, send }) => ({
      channel: name,
      error: await send(alert).then(() => null, messageOf),
    })),
  )
  out.result(results, () =>
    results.map(({ channel, error }) => `${channel}: ${error === null ? 'sent' : `not sent (${error})`}`).join('\n'),
  )
  return results.every(({ error }) => error === null) ? EXIT.done : EXIT.failed
}

import { hostname } from 'node:os'
import type { Channel } from '../../../pipelines/alerts/alert.ts'
import type { Alerts } from '../../../pipelines/alerts/alerts.ts'
import { createAlerts } from '../../../pipelines/alerts/alerts.ts'
import { emailChannel } from '../../../pipelines/alerts/email.ts'
import { pagerDutyChannel } from '../../../pipelines/alerts/pagerduty.ts'
import { webhookChannel } from '../../../pipelines/alerts/webhook.ts'
import type { Config } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { Command } from './command.ts'

/** Creates the alerts, which report runs to the configured destinations. */
export function openAlerts({ config, log }: Pick<Command, 'config' | 'log'>): Alerts {
  const url = heartbeatUrl(config)
  return createAlerts({
    channels: openChannels(config),
    heartbeat: url ? { url, pipelines: config.schedule.pipelines } : undefined,
    source: alertSource(config),
    timeZone: config.schedule.time_zone,
    log,
  })
}

export const alertSource = ({ alerts }: Config): string => alerts.name || hostname()

/**
 * The heartbeat URL, requested after each scheduled run whose outcome is `ok`; undefined if not set. Throws
 * `configuration` for an invalid URL.
 */
export const heartbeatUrl = ({ secrets: { heartbeat_url: url } }: Config): string | undefined =>
  url ? checked('TALHOUSE_HEARTBEAT_URL', url) : undefined

/** The configured alert destinations. Throws `configuration` for an invalid or incomplete setting. */
export function openChannels({ alerts, secrets }: Config): Channel[] {
  const { alert_webhook_url: webhookUrl, alert_smtp_url: smtpUrl, pagerduty_routing_key: routingKey } = secrets
  const { email_from: from, email_to: to } = alerts
  const hasEmail = smtpUrl !== undefined || to.length > 0 || from !== ''
  if (hasEmail && (!smtpUrl || to.length === 0 || from === ''))
    throw new AppError(
      'configuration',
      'Email alerts require TALHOUSE_ALERT_SMTP_URL, TALHOUSE_ALERTS_EMAIL_FROM and TALHOUSE_ALERTS_EMAIL_TO.',
    )
  return [
    ...(webhookUrl ? [webhookChannel(checked('TALHOUSE_ALERT_WEBHOOK_URL', webhookUrl))] : []),
    ...(routingKey ? [pagerDutyChannel({ url: alerts.pagerduty_url, routingKey })] : []),
    ...(smtpUrl ? [emailChannel({ smtpUrl: checked('TALHOUSE_ALERT_SMTP_URL', smtpUrl, /^smtps?:/), from, to })] : []),
  ]
}

function checked(name: string, url: string, protocol = /^https?:/): string {
  if (URL.canParse(url) && protocol.test(url)) return url
  throw new AppError('configuration', `${name} is not a URL that starts with ${protocol.source.slice(1)}//.`)
}

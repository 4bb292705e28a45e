import type { Alert, Channel } from './alert.ts'
import { send } from './post.ts'

const SEVERITY = { failed: 'critical', abandoned: 'critical', degraded: 'warning', test: 'info' } as const
/** The API's maximum length in characters. */
const MAX_SUMMARY = 1024

/**
 * Sends alerts to PagerDuty's Events API v2. All alerts about a pipeline update the same incident, and a recovery
 * resolves it.
 */
export const pagerDutyChannel = ({ url, routingKey }: { url: string; routingKey: string }): Channel => ({
  name: 'PagerDuty',
  async send(alert) {
    const event = { routing_key: routingKey, dedup_key: `talhouse/${alert.source}/${alert.pipeline}` }
    if (alert.status === 'recovered') return await send(url, { ...event, event_action: 'resolve' })
    await send(url, { ...event, event_action: 'trigger', payload: payloadOf(alert, SEVERITY[alert.status]) })
  },
})

const payloadOf = ({ summary, reasons, command, source, pipeline }: Alert, severity: string) => ({
  summary: `talhouse: ${summary}`.slice(0, MAX_SUMMARY),
  source,
  severity,
  component: pipeline,
  custom_details: { reasons, ...(command !== undefined && { command }) },
})

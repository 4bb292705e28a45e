import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Config } from '../../../config/schema.ts'
import { messageOf } from '../../../lib/errors.ts'
import { heartbeatUrl, openChannels } from '../alerts.ts'
import type { Command } from '../command.ts'
import { openClient } from '../open-client.ts'
import { serviceAddress } from '../service-key.ts'
import { sinkOf } from '../sink.ts'
import type { Finding } from './finding.ts'
import { ok, problem, warning } from './finding.ts'

/** Writes, reads and deletes a small object at the snapshot destination. */
export async function checkSnapshots(config: Config): Promise<Finding> {
  const check = 'snapshots'
  const key = `doctor-${randomUUID()}.txt`
  try {
    const sink = await sinkOf(config)
    await sink.write(key, Readable.from(['talhouse doctor']))
    const object = await sink.read(key)
    const isSame = object !== undefined && (await text(object.body)) === 'talhouse doctor'
    await sink.remove([key])
    return isSame
      ? ok(check, `${sink.url} is writable and readable`)
      : problem(
          check,
          `${sink.url} returned different content than was written`,
          'Check the permissions of the destination.',
        )
  } catch (error) {
    return problem(
      check,
      messageOf(error),
      'Check snapshot.url, TALHOUSE_S3_ENDPOINT and the AWS credentials in the environment, and that the bucket exists.',
    )
  }
}

/** Checks that the service responds and accepts the pipelines' key. */
export async function checkService(command: Command): Promise<Finding> {
  const check = 'service API'
  const url = serviceAddress(command)
  const isLive = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(5000) }).then(
    () => true,
    () => false,
  )
  if (!isLive)
    return warning(
      check,
      `no response from ${url}`,
      'Start `talhouse serve` or `up`, or set TALHOUSE_SERVICE_BASE_URL.',
    )
  try {
    const client = await openClient(command)
    const { units_remaining: units } = await client.usage()
    return ok(check, `${url} accepts the key; ${units} units left`)
  } catch (error) {
    return problem(
      check,
      messageOf(error),
      'Set TALHOUSE_SERVICE_API_KEY to a key with the scopes read, contacts, enrich and lists.',
    )
  }
}

/**
 * Checks the settings for alerts and the heartbeat. Alerts and the heartbeat are optional; without alerts, failed
 * nightly runs may go unnoticed.
 */
export function checkAlerts(config: Config): Finding {
  const check = 'alerts'
  try {
    const names = openChannels(config).map(({ name }) => name)
    const heartbeat = heartbeatUrl(config) ? ', heartbeat' : ''
    if (names.length > 0)
      return ok(check, `${names.join(', ')}${heartbeat}; send a test alert with \`talhouse alerts test\``)
    return warning(
      check,
      'not configured',
      'Set TALHOUSE_ALERT_WEBHOOK_URL, TALHOUSE_PAGERDUTY_ROUTING_KEY or TALHOUSE_ALERT_SMTP_URL to receive alerts about failed runs.',
    )
  } catch (error) {
    return problem(check, messageOf(error), 'Correct the setting.')
  }
}

import { describe, expect, it } from 'vitest'
import type { AlertReceiver } from '../../helpers/alert-receiver.ts'
import { startAlertReceiver } from '../../helpers/alert-receiver.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'

const everywhere = ({ url, smtpUrl }: AlertReceiver): Record<string, string> => ({
  TALHOUSE_ALERTS_NAME: 'staging',
  TALHOUSE_ALERT_WEBHOOK_URL: `${url}/hook`,
  TALHOUSE_PAGERDUTY_ROUTING_KEY: 'routing-key',
  TALHOUSE_ALERTS_PAGERDUTY_URL: `${url}/v2/enqueue`,
  TALHOUSE_ALERT_SMTP_URL: smtpUrl,
  TALHOUSE_ALERTS_EMAIL_FROM: 'talhouse <talhouse@example.com>',
  TALHOUSE_ALERTS_EMAIL_TO: 'night@example.com,day@example.com',
  TALHOUSE_HEARTBEAT_URL: `${url}/heartbeat`,
  TALHOUSE_SCHEDULE_PIPELINES: 'firms',
})

describe('talhouse run, as started by cron', () => {
  it('alerts every destination about a failed run, and reports the recovery with a heartbeat', async () => {
    await using receiver = await startAlertReceiver()
    await using host = await startFirmHost(generateFirms(20))
    await using cli = await openCommandLine(host, everywhere(receiver))
    host.fault = () => ({ kind: 'status', status: 401 })
    expect((await cli.run('run', 'firms')).code).not.toBe(0)

    expect(receiver.at('/hook')).toEqual([
      { text: expect.stringMatching(/^talhouse on staging: firms failed \(run 1/) },
    ])
    expect(receiver.at('/v2/enqueue')).toEqual([
      {
        routing_key: 'routing-key',
        event_action: 'trigger',
        dedup_key: 'talhouse/staging/firms',
        payload: {
          summary: expect.stringMatching(/^talhouse: firms failed \(run 1, started \S+ \S+ UTC\)$/),
          source: 'staging',
          severity: 'critical',
          component: 'firms',
          custom_details: { reasons: [expect.stringContaining('401')], command: 'talhouse runs show 1' },
        },
      },
    ])
    expect(receiver.mails).toHaveLength(1)
    expect(receiver.mails[0]).toMatch(/^To: night@example.com, day@example.com\r$/m)
    expect(receiver.mails[0]).toMatch(/^Subject: talhouse on staging: firms failed \(run 1/m)
    expect(receiver.at('/heartbeat')).toEqual([])

    host.fault = () => undefined
    expect((await cli.run('run', 'firms')).code).toBe(0)
    expect(receiver.at('/hook')[1]).toEqual({ text: expect.stringContaining('firms is ok again (run 2') })
    expect(receiver.at('/v2/enqueue')[1]).toEqual({
      routing_key: 'routing-key',
      event_action: 'resolve',
      dedup_key: 'talhouse/staging/firms',
    })
    expect(receiver.at('/heartbeat')).toEqual([null])

    expect((await cli.run('run', 'firms')).code).toBe(0)
    expect(receiver.at('/hook')).toHaveLength(2)
    expect(receiver.mails).toHaveLength(2)
    expect(receiver.at('/heartbeat')).toEqual([null, null])
  })

  it('alerts about a run that cannot start because the warehouse is down', async () => {
    await using receiver = await startAlertReceiver()
    const settings = {
      ...everywhere(receiver),
      TALHOUSE_WAREHOUSE_DATABASE_URL: 'postgres://x:x@127.0.0.1:9/warehouse',
    }
    await using cli = await openCommandLine({ url: 'http://127.0.0.1:9' }, settings)
    expect((await cli.run('run', 'nightly')).code).toBe(1)
    expect(receiver.at('/hook')).toEqual([
      { text: expect.stringMatching(/nightly could not start\n• Cannot connect to the warehouse database/) },
    ])
  })
})

describe('talhouse alerts test', () => {
  it('talhouse alerts test sends an alert to every destination, and reports destinations that refuse it', async () => {
    await using receiver = await startAlertReceiver()
    await using cli = await openCommandLine({ url: 'http://127.0.0.1:9' }, everywhere(receiver))
    const sent = await cli.run('alerts', 'test')
    expect(sent).toMatchObject({ code: 0, out: 'webhook: sent\nPagerDuty: sent\nemail: sent\n' })
    expect(receiver.at('/hook')).toEqual([{ text: expect.stringContaining('test alert') }])

    const wrong = { ...everywhere(receiver), TALHOUSE_ALERT_SMTP_URL: receiver.smtpUrl.replace('secret', 'wrong') }
    await using other = await openCommandLine({ url: 'http://127.0.0.1:9' }, wrong)
    const refused = await other.run('alerts', 'test')
    expect(refused.code).toBe(1)
    expect(refused.out).toContain('email: not sent (the SMTP server did not accept the message')
  })

  it.each([
    [{}, 'No destination is configured'],
    [{ TALHOUSE_ALERTS_EMAIL_TO: 'night@example.com' }, 'TALHOUSE_ALERT_SMTP_URL'],
    [{ TALHOUSE_ALERT_WEBHOOK_URL: 'hooks.example' }, 'TALHOUSE_ALERT_WEBHOOK_URL is not a URL'],
  ])('refuses incomplete alert settings: %j', async (settings, message) => {
    await using cli = await openCommandLine({ url: 'http://127.0.0.1:9' }, settings)
    const { code, err } = await cli.run('alerts', 'test')
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(message) })
  })
})

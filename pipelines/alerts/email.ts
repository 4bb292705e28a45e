import { AppError, messageOf } from '../../src/lib/errors.ts'
import type { Channel } from './alert.ts'
import { linesOf } from './alert.ts'

interface EmailOptions {
  /** URL of the SMTP server, such as smtp://user:password@host:587, or smtps://... for implicit TLS. */
  smtpUrl: string
  from: string
  to: readonly string[]
}

const TIMEOUT_MS = 10_000

/** Sends alerts by SMTP. */
export const emailChannel = ({ smtpUrl, from, to }: EmailOptions): Channel => ({
  name: 'email',
  async send(alert) {
    // The module is imported on demand, because most runs do not send an alert.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ url: smtpUrl, connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
    try {
      await transport.sendMail({
        from,
        to: [...to],
        subject: `talhouse on ${alert.source}: ${alert.summary}`,
        text: `${linesOf(alert, '- ').join('\n')}\n`,
      })
    } catch (cause) {
      throw new AppError('upstream_failed', `the SMTP server did not accept the message: ${messageOf(cause)}`, {
        cause,
        retryable: !isPermanent(cause),
      })
    } finally {
      transport.close()
    }
  },
})

/** Whether the server rejected the message with a permanent SMTP error. */
const isPermanent = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500

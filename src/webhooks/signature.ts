import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** Creates a secret of 32 random bytes. */
export const newSecret = (): Buffer => randomBytes(32)

/** Formats a secret for clients and verification libraries. */
export const printSecret = (secret: Buffer): string => PREFIX + secret.toString('base64')

/**
 * Headers of one attempt (Standard Webhooks 1.0): a `webhook-id` shared by all attempts, the attempt's timestamp, and
 * one signature per valid secret, so that receivers can switch to a new secret at any time.
 */
export function signedHeaders(
  id: string,
  payload: string,
  secrets: readonly Buffer[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${payload}`).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature.join(' ') }
}

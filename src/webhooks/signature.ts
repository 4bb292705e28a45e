import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A new secret: 32 random bytes. */
export const newSecret = (): Buffer => randomBytes(32)

/** How a secret is shown to its client, and given to a verifying library. */
export const printSecret = (secret: Buffer): string => PREFIX + secret.toString('base64')

/**
 * The headers of one attempt (Standard Webhooks 1.0): the same `webhook-id` at each attempt, the attempt's own time, and a signature by
 * every secret that is valid now, so that a receiver may take over a new one at any moment of a rotation.
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

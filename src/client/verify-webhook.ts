import type { WebhookEvent } from '../contract/webhooks.ts'
import { TalhouseError } from './errors.ts'

/**
 * Thrown if the request was not sent by the service, was altered, or is too old. Respond with 400 and ignore the
 * request.
 */
export class WebhookVerificationError extends TalhouseError {
  override readonly name = 'WebhookVerificationError'
}

/** Headers of a received request, from Node, Express or Fastify, or a `Headers` object. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

export interface VerifyOptions {
  /**
   * Maximum age of a request in seconds, and maximum time by which its timestamp may be ahead of the local clock.
   * @default 300
   */
  tolerance?: number
  /** The current time, for tests. */
  now?: Date
}

/**
 * Verifies a webhook's signature and returns its event. `body` must be the text as received, because JSON that has been
 * parsed and re-serialized may not match the signature. `secret` is the `whsec_` text, or a list of secrets during a
 * rotation. Throws WebhookVerificationError.
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name)
    if (value) return value
    throw new WebhookVerificationError(`The header ${name} is missing.`)
  }) as [string, string, string]
  const age = now.getTime() / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > tolerance)
    throw new WebhookVerificationError(`The timestamp is not within ${tolerance} seconds of the local clock.`)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => decodeBase64(signature.slice(3)))
  for (const one of [secret].flat()) {
    const key = await importKey(one)
    // Compares two values in constant time.
    for (const signature of given)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) return JSON.parse(text)
  }
  throw new WebhookVerificationError('No signature matches the body and the secret.')
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return [value].flat()[0]
}

async function importKey(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TalhouseError('The webhook secret is not whsec_ followed by base64.')
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Decodes base64; undefined for invalid input. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../../src/client/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes long').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another secret').toString('base64')}`
const NOW = new Date('2026-11-21T02:00:00Z')
const EVENT = {
  type: 'task.completed',
  timestamp: '2026-11-21T02:00:00.000Z',
  data: { task_id: 'f0', task_type: 'leadership_search', status: 'completed' },
}
const BODY = JSON.stringify(EVENT)

/** Headers signed by the Standard Webhooks library. */
const signed = (secret = SECRET, at = NOW, body = BODY): Record<string, string> => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
})

const verify = (headers: Record<string, string>, body = BODY, secret: string | string[] = SECRET) =>
  verifyWebhook(body, headers, secret, { now: NOW })

describe('verifyWebhook', () => {
  it('accepts webhooks that the Standard Webhooks library signs', async () => {
    expect(await verify(signed())).toEqual(EVENT)
    expect(await verifyWebhook(new TextEncoder().encode(BODY), new Headers(signed()), SECRET, { now: NOW })).toEqual(
      EVENT,
    )
    const { 'webhook-id': id = '', ...rest } = signed()
    expect(await verify({ 'Webhook-Id': id, ...rest })).toEqual(EVENT)
  })

  it('accepts a webhook if one of several signatures or secrets matches', async () => {
    const { 'webhook-signature': mine = '', ...rest } = signed()
    const { 'webhook-signature': other = '' } = signed(OTHER)
    expect(await verify({ ...rest, 'webhook-signature': `v2,abc ${other} v1,??? ${mine}` })).toEqual(EVENT)
    expect(await verify(signed(OTHER), BODY, [SECRET, OTHER])).toEqual(EVENT)
  })

  it.each([
    ['a changed body', signed(), BODY.replace('completed', 'failed')],
    ['another secret', signed(OTHER), BODY],
    ['another ID', { ...signed(), 'webhook-id': 'msg_2' }, BODY],
    ['another timestamp', { ...signed(), 'webhook-timestamp': String(NOW.getTime() / 1000 + 1) }, BODY],
    ['a timestamp of six minutes ago', signed(SECRET, new Date(NOW.getTime() - 360_000)), BODY],
    ['a timestamp six minutes ahead', signed(SECRET, new Date(NOW.getTime() + 360_000)), BODY],
    ['a timestamp that is no number', { ...signed(), 'webhook-timestamp': 'now' }, BODY],
    ['a missing signature', { ...signed(), 'webhook-signature': '' }, BODY],
    ['a signature that is not base64', { ...signed(), 'webhook-signature': 'v1,???' }, BODY],
  ])('rejects a webhook with %s', async (_, headers, body) => {
    await expect(verify(headers, body)).rejects.toBeInstanceOf(WebhookVerificationError)
  })

  it('reports a malformed webhook secret as a caller error', async () => {
    const mistake = verify(signed(), BODY, 'whsec_???')
    await expect(mistake).rejects.toThrow('whsec_ followed by base64')
    await expect(mistake).rejects.not.toBeInstanceOf(WebhookVerificationError)
  })
})

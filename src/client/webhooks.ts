import type { DeliveryPage, DeliveryQuery, ReplayedDelivery, WebhookSecret } from '../contract/webhooks.ts'
import type { Input } from './input.ts'
import type { RequestOptions, Send } from './options.ts'
import { pathOf } from './path.ts'

export type DeliveryInput = Input<DeliveryQuery>

/** Signing secrets and deliveries. To verify a received request, use `verifyWebhook`. */
export interface WebhooksClient {
  secret(options?: RequestOptions): Promise<WebhookSecret>
  /** Creates a secret. For 24 hours, deliveries are signed with both the new and the previous secret. */
  rotateSecret(options?: RequestOptions): Promise<WebhookSecret>
  /** Deliveries with their attempts, newest first. */
  deliveries(query?: DeliveryInput, options?: RequestOptions): Promise<DeliveryPage>
  /** Replays a finished delivery with the same `webhook-id`. */
  replay(id: string, options?: RequestOptions): Promise<ReplayedDelivery>
}

export const webhooksClient = (send: Send): WebhooksClient => ({
  secret: (options) => send({ method: 'GET', path: '/v2/webhooks/secret' }, options),
  rotateSecret: (options) => send({ method: 'POST', path: '/v2/webhooks/secret/rotate' }, options),
  deliveries: (query = {}, options) => send({ method: 'GET', path: '/v2/webhooks/deliveries', query }, options),
  replay: (id, options) =>
    send({ method: 'POST', path: pathOf('v2', 'webhooks', 'deliveries', id, 'replay') }, options),
})

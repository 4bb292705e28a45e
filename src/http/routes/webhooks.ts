import { DeliveryList, DeliveryPath, DeliveryQuery, Replayed, WebhookSecret } from '../../contract/webhooks.ts'
import { listDeliveries, replayDelivery } from '../../webhooks/deliveries.ts'
import { currentSecret, rotateSecret } from '../../webhooks/secrets.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/** Webhook secrets and deliveries; talhouse extensions. */
export function webhookRoutes(app: App, { db, queue, webhookKeys }: AppDeps): void {
  const tags = ['webhooks']

  app.get(
    '/v2/webhooks/secret',
    {
      schema: {
        tags,
        operationId: 'getWebhookSecret',
        summary: 'Get the webhook secret',
        response: { 200: WebhookSecret },
      },
    },
    async ({ caller }) => ({ secret: await currentSecret(db, caller.clientId, webhookKeys) }),
  )

  app.post(
    '/v2/webhooks/secret/rotate',
    {
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the webhook secret',
        response: { 200: WebhookSecret },
      },
    },
    async ({ caller }) => ({ secret: await rotateSecret(db, caller.clientId, webhookKeys) }),
  )

  app.get(
    '/v2/webhooks/deliveries',
    {
      schema: {
        tags,
        operationId: 'listDeliveries',
        summary: 'List webhook deliveries',
        querystring: DeliveryQuery,
        response: { 200: DeliveryList },
      },
    },
    async ({ caller, query }) => {
      const { limit, task_id: taskId } = query
      const deliveries = await listDeliveries(db, caller.clientId, { limit, taskId })
      return {
        deliveries: deliveries.map(({ delivery_id, state, log, ...delivery }) => ({
          ...delivery,
          id: delivery_id,
          status: state,
          attempts: log,
        })),
        limit,
      }
    },
  )

  app.post(
    '/v2/webhooks/deliveries/:delivery_id/replay',
    {
      schema: {
        tags,
        operationId: 'replayDelivery',
        summary: 'Replay a webhook delivery',
        params: DeliveryPath,
        response: { 200: Replayed, ...errorReplies(404, 409) },
      },
    },
    async ({ caller, params }) => {
      await replayDelivery(db, queue, caller.clientId, params.delivery_id)
      return { id: params.delivery_id, status: 'pending' as const }
    },
  )
}

import { DeliveryList, DeliveryPath, DeliveryQuery, Replayed, WebhookSecret } from '../../contract/webhooks.ts'
import { listDeliveries, replayDelivery } from '../../webhooks/deliveries.ts'
import { currentSecret, rotateSecret } from '../../webhooks/secrets.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/** talhouse's own: the interface says that notifications are sent, and nothing of how they are signed and followed up. */
export function webhookRoutes(app: App, { db, queue, webhookKeys }: AppDeps): void {
  const tags = ['webhooks']

  app.get(
    '/v2/webhooks/secret',
    {
      schema: {
        tags,
        operationId: 'getWebhookSecret',
        summary: 'The secret that your notifications are signed with',
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
        summary: 'A new secret; the old one signs beside it for 24 hours',
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
        summary: 'Your newest notifications, each with its attempts',
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
        summary: 'Send a notification again, with the same webhook-id',
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

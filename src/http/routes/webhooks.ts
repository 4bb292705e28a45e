import { audited } from '../../audit/audit-log.ts'
import { DeliveryPage, DeliveryPath, DeliveryQuery, ReplayedDelivery, WebhookSecret } from '../../contract/webhooks.ts'
import type { Db } from '../../db/database.ts'
import { listDeliveries, replayDelivery } from '../../webhooks/deliveries.ts'
import { WEBHOOK } from '../../webhooks/enqueue.ts'
import { currentSecret, rotateSecret } from '../../webhooks/secrets.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/** Routes for webhook secrets and deliveries, which are talhouse extensions. */
export function webhookRoutes(app: App, { db, queue, webhookKeys }: AppDeps): void {
  const tags = ['webhooks']

  app.get(
    '/v2/webhooks/secret',
    {
      config: { scope: 'webhooks' },
      schema: {
        tags,
        operationId: 'getWebhookSecret',
        summary: 'Get the webhook secret',
        description: 'Returns the secret that signs webhook deliveries.',
        response: { 200: WebhookSecret },
      },
    },
    async (request) => ({
      secret: await currentSecret(db, request.caller.clientId, webhookKeys, actorOf(request)),
    }),
  )

  app.post(
    '/v2/webhooks/secret/rotate',
    {
      config: { scope: 'webhooks' },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the webhook secret',
        description: 'Creates a new secret. Deliveries are signed with both secrets for 24 hours.',
        response: { 200: WebhookSecret },
      },
    },
    async (request) => {
      const { clientId } = request.caller
      const change = { action: 'webhook.rotate_secret', target: clientId }
      const rotate = (trx: Db) => rotateSecret(trx, clientId, webhookKeys)
      return { secret: await audited(db, actorOf(request), change, rotate) }
    },
  )

  app.get(
    '/v2/webhooks/deliveries',
    {
      config: { scope: 'webhooks' },
      schema: {
        tags,
        operationId: 'listDeliveries',
        summary: 'List webhook deliveries',
        description: 'Returns deliveries with their attempts, newest first.',
        querystring: DeliveryQuery,
        response: { 200: DeliveryPage },
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
      config: { scope: 'webhooks' },
      schema: {
        tags,
        operationId: 'replayDelivery',
        summary: 'Replay a webhook delivery',
        description: 'Replays a finished delivery with the same webhook-id.',
        params: DeliveryPath,
        response: { 200: ReplayedDelivery, ...errorReplies(404, 409) },
      },
    },
    async (request) => {
      const { delivery_id } = request.params
      const change = { action: 'webhook.replay', target: delivery_id }
      await audited(db, actorOf(request), change, (trx) =>
        replayDelivery(trx, queue, request.caller.clientId, delivery_id),
      )
      queue.wake(WEBHOOK)
      return { id: delivery_id, status: 'pending' as const }
    },
  )
}

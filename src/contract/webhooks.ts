import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableInteger, nullableText, nullableTimestamp, timestamp } from './nullable.ts'

/** A client's signing secret. */
export const WebhookSecret = named(
  'WebhookSecret',
  Type.Object({
    secret: Type.String({ description: 'Standard Webhooks secret: `whsec_` followed by base64.' }),
  }),
)
export type WebhookSecret = Static<typeof WebhookSecret>

export const DeliveryQuery = Type.Object(
  {
    task_id: Type.Optional(Type.String({ format: 'uuid' })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  },
  { additionalProperties: false },
)
export type DeliveryQuery = Static<typeof DeliveryQuery>

const Attempt = named(
  'WebhookAttempt',
  Type.Object({
    attempted_at: timestamp('When the attempt started.'),
    status: nullableInteger('HTTP status of the response.'),
    error: nullableText('Reason for the failure.'),
    milliseconds: Type.Integer(),
  }),
)

export const DeliveryPage = named(
  'WebhookDeliveryPage',
  Type.Object({
    deliveries: Type.Array(
      named(
        'WebhookDelivery',
        Type.Object({
          id: Type.String({ description: 'Delivery ID, sent in the `webhook-id` header.' }),
          task_id: Type.String(),
          url: Type.String(),
          status: Type.Enum(['pending', 'delivered', 'failed', 'disabled']),
          created_at: timestamp('When the task ended.'),
          next_attempt_at: nullableTimestamp('When the next attempt starts.'),
          attempts: Type.Array(Attempt),
        }),
      ),
    ),
    limit: Type.Integer(),
  }),
)
export type DeliveryPage = Static<typeof DeliveryPage>

export const DeliveryPath = Type.Object({ delivery_id: Type.String({ format: 'uuid' }) })
export const ReplayedDelivery = named(
  'ReplayedDelivery',
  Type.Object({ id: Type.String(), status: Type.Enum(['pending']) }),
)
export type ReplayedDelivery = Static<typeof ReplayedDelivery>

/** The body sent to the `callback_url` when a task ends. */
export const WebhookEvent = named(
  'WebhookEvent',
  Type.Object({
    type: Type.Enum(['task.completed', 'task.failed'], { description: 'Event type.' }),
    timestamp: Type.String({
      format: 'date-time',
      description: 'Creation time of the event: ISO 8601 in UTC.',
    }),
    data: Type.Object({
      task_id: Type.String({ description: 'Task ID for GET /v2/tasks/{task_id}.' }),
      task_type: Type.String({ description: 'Type of the task.' }),
      status: Type.Enum(['completed', 'failed'], { description: 'Final status of the task.' }),
    }),
  }),
)
export type WebhookEvent = Static<typeof WebhookEvent>

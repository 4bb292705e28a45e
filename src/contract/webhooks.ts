import { Type } from 'typebox'
import { nullableInteger, nullableText, nullableTimestamp, timestamp } from './nullable.ts'

/** The key that a client's notifications are signed with. */
export const WebhookSecret = Type.Object({
  secret: Type.String({ description: '`whsec_` and base64: what a Standard Webhooks library takes' }),
})

export const DeliveryQuery = Type.Object(
  {
    task_id: Type.Optional(Type.String({ format: 'uuid' })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  },
  { additionalProperties: false },
)

const Attempt = Type.Object({
  attempted_at: timestamp('When.'),
  status: nullableInteger('The HTTP status that came back'),
  error: nullableText('Why it is no success'),
  milliseconds: Type.Integer(),
})

export const DeliveryList = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The webhook-id header' }),
      task_id: Type.String(),
      url: Type.String(),
      status: Type.Enum(['pending', 'delivered', 'failed', 'disabled']),
      created_at: timestamp('When the task ended.'),
      next_attempt_at: nullableTimestamp('When it is tried next.'),
      attempts: Type.Array(Attempt),
    }),
  ),
  limit: Type.Integer(),
})

export const DeliveryPath = Type.Object({ delivery_id: Type.String({ format: 'uuid' }) })
export const Replayed = Type.Object({ id: Type.String(), status: Type.Enum(['pending']) })

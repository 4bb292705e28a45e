import type { Generated } from 'kysely'

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'disabled'

/** Column comments: `sql/service/0010_webhooks.sql`. */
export interface WebhookTables {
  webhook_secret: {
    client_id: string
    secret_id: Generated<string>
    secret: Buffer
    is_sealed: Generated<boolean>
    created_at: Generated<string>
    expires_at: string | null
  }
  webhook_delivery: {
    client_id: string
    delivery_id: string
    task_id: string
    url: string
    payload: string
    state: Generated<DeliveryState>
    attempts: Generated<number>
    next_attempt_at: string | null
    created_at: Generated<string>
    ended_at: string | null
  }
  webhook_attempt: {
    client_id: string
    delivery_id: string
    attempt_id: Generated<string>
    attempted_at: Generated<string>
    status: number | null
    error: string | null
    milliseconds: number
  }
  webhook_disabled_url: {
    client_id: string
    url: string
    disabled_at: Generated<string>
  }
}

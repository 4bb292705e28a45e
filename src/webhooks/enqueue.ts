import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Queue, QueueDefinition } from '../lib/queue.ts'

/** Queue whose jobs each make one attempt to deliver a notification. */
export const WEBHOOK = 'webhook'

export interface DeliveryJob {
  client_id: string
  delivery_id: string
}

export const WEBHOOK_QUEUE: QueueDefinition = {
  name: WEBHOOK,
  heartbeatSeconds: 10,
  expireInSeconds: 60,
  // The queue retries a job only if its worker is lost. Failed deliveries follow the delivery schedule.
  retryLimit: 1000,
  retryDelay: 1,
  retryDelayMax: 60,
}

export interface Notification {
  clientId: string
  taskId: string
  taskType: string
  status: string
  /** The callback URL; null if the client did not specify one. */
  url: string | null
}

/**
 * Inserts the notification about a finished task and its first delivery job, in the transaction that ends the task. The
 * payload contains only the task's identifiers. Skips URLs that were disabled after a 410 response.
 */
export async function enqueueNotification(trx: Db, queue: Queue, notification: Notification): Promise<void> {
  const { clientId, taskId, taskType, status, url } = notification
  if (url === null) return
  const deliveryId = randomUUID()
  const payload = JSON.stringify({
    type: `task.${status}`,
    timestamp: new Date().toISOString(),
    data: { task_id: taskId, task_type: taskType, status },
  })
  const { rows } = await sql<{ state: string }>`
    insert into webhook_delivery (client_id, delivery_id, task_id, url, payload, state, next_attempt_at, ended_at)
    select ${clientId}, ${deliveryId}::uuid, ${taskId}::uuid, ${url}, ${payload},
      case when gone then 'disabled' else 'pending' end, case when gone then null else now() end,
      case when gone then now() end
    from (select exists (
      select from webhook_disabled_url where client_id = ${clientId} and url = ${url}) as gone) as address
    returning state`.execute(trx)
  if (rows[0]?.state === 'pending') await enqueueDelivery(trx, queue, { client_id: clientId, delivery_id: deliveryId })
}

/** Enqueues the delivery's next attempt, due at `startAfter` on the database's clock. @default now */
export async function enqueueDelivery(trx: Db, queue: Queue, job: DeliveryJob, startAfter?: string): Promise<void> {
  await queue.enqueue(trx, WEBHOOK, [startAfter === undefined ? { data: job } : { data: job, startAfter }])
}

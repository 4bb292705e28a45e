import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { JobAttempt, Queue } from '../lib/queue.ts'
import type { Delivery } from './deliveries.ts'
import { pendingDelivery, recordAttempt } from './deliveries.ts'
import type { DeliveryJob } from './enqueue.ts'
import { WEBHOOK } from './enqueue.ts'
import type { Receivers } from './receivers.ts'
import type { SealingKeys } from './seal-secret.ts'
import { signingSecrets } from './secrets.ts'
import type { SendResult } from './send.ts'
import { sendWebhook, UNREACHABLE } from './send.ts'
import { signedHeaders } from './signature.ts'

export interface DeliverDeps {
  db: Db
  queue: Queue
  clock: Clock
  receivers: Receivers
  webhookKeys: SealingKeys
  /** Seconds before each attempt. @default SCHEDULE */
  schedule?: readonly number[]
  /** Timeout per attempt in milliseconds. @default 15_000 */
  timeLimit?: number
}

/**
 * Makes one delivery attempt: sends it, then logs it, schedules the next one and completes the job in one transaction.
 */
export async function deliverWebhook(
  deps: DeliverDeps,
  job: JobAttempt<DeliveryJob>,
  signal: AbortSignal,
): Promise<void> {
  const { db, queue, clock } = deps
  const delivery = await pendingDelivery(db, job.data)
  if (!delivery) {
    await queue.complete(db, WEBHOOK, job)
    return
  }
  const secrets = await signingSecrets(db, delivery.client_id, deps.webhookKeys)
  const headers = signedHeaders(delivery.delivery_id, delivery.payload, secrets, clock.now())
  const result = await attempt(deps, delivery, headers, signal)
  await db.transaction().execute(async (trx) => {
    await recordAttempt(trx, deps, delivery, result)
    await queue.complete(trx, WEBHOOK, job)
  })
}

/** The URL is checked at each attempt, since its resolution may have changed. A refused URL is a failed attempt. */
async function attempt(
  { receivers, clock, timeLimit = 15_000 }: DeliverDeps,
  { url: address, payload }: Delivery,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const url = receivers.check(address)
    return await sendWebhook({
      url,
      headers,
      payload,
      agent: receivers.agent,
      signal,
      timeLimit,
      now: () => clock.now(),
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { verdict: 'failed', status: null, error: UNREACHABLE, retryAfter: 0, milliseconds: 0 }
  }
}

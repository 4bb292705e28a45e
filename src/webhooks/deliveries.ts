import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { WebhookTables } from '../db/webhook-tables.ts'
import { AppError } from '../lib/errors.ts'
import type { Queue } from '../lib/queue.ts'
import { unfinishedJobs } from '../lib/queue.ts'
import { isUuid } from '../lib/uuid.ts'
import type { DeliveryJob } from './enqueue.ts'
import { enqueueDelivery, WEBHOOK } from './enqueue.ts'
import { delayAfter, SCHEDULE } from './schedule.ts'
import type { SendResult } from './send.ts'

export type Delivery = Selectable<WebhookTables['webhook_delivery']>
export type Attempt = Selectable<WebhookTables['webhook_attempt']>

/** Returns a pending delivery; undefined if the delivery has finished. */
export async function pendingDelivery(db: Db, { client_id, delivery_id }: DeliveryJob): Promise<Delivery | undefined> {
  return await db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('delivery_id', '=', delivery_id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
}

/**
 * Logs an attempt and ends the delivery or enqueues the next attempt. Returns false without changes if another worker
 * has already recorded this attempt.
 */
export async function recordAttempt(
  trx: Db,
  { queue, schedule = SCHEDULE }: { queue: Queue; schedule?: readonly number[] },
  delivery: Delivery,
  result: SendResult,
): Promise<boolean> {
  const { client_id, delivery_id } = delivery
  if (result.verdict === 'gone') await lockPendingOf(trx, delivery)
  const attempts = delivery.attempts + 1
  const wait = result.verdict === 'failed' ? delayAfter(attempts, { asked: result.retryAfter, schedule }) : undefined
  const state =
    result.verdict === 'delivered'
      ? 'delivered'
      : result.verdict === 'gone'
        ? 'disabled'
        : wait === undefined
          ? 'failed'
          : 'pending'
  const settled = await trx
    .updateTable('webhook_delivery')
    .set({
      attempts,
      state,
      next_attempt_at: wait === undefined ? null : sql<string>`clock_timestamp() + ${wait} * interval '1 second'`,
      ended_at: state === 'pending' ? null : sql<string>`clock_timestamp()`,
    })
    .where('client_id', '=', client_id)
    .where('delivery_id', '=', delivery_id)
    .where('state', '=', 'pending')
    .where('attempts', '=', delivery.attempts)
    .returning('next_attempt_at')
    .executeTakeFirst()
  if (!settled) return false
  const { status, error, milliseconds } = result
  await trx.insertInto('webhook_attempt').values({ client_id, delivery_id, status, error, milliseconds }).execute()
  if (state === 'disabled') await disableUrl(trx, delivery)
  if (settled.next_attempt_at !== null)
    await enqueueDelivery(trx, queue, { client_id, delivery_id }, settled.next_attempt_at)
  return true
}

/**
 * Locks the pending deliveries to a URL in a fixed order, so that two workers that both receive a 410 response do not
 * deadlock.
 */
async function lockPendingOf(trx: Db, { client_id, url }: Delivery): Promise<void> {
  await sql`
    select from webhook_delivery where client_id = ${client_id} and url = ${url} and state = 'pending'
    order by delivery_id for update`.execute(trx)
}

/** Disables the URL and ends its pending deliveries. */
async function disableUrl(trx: Db, { client_id, url }: Delivery): Promise<void> {
  await trx
    .insertInto('webhook_disabled_url')
    .values({ client_id, url })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    update webhook_delivery set state = 'disabled', next_attempt_at = null, ended_at = clock_timestamp()
    where client_id = ${client_id} and url = ${url} and state = 'pending'`.execute(trx)
}

/** The client's deliveries with their attempts, newest first. */
export async function listDeliveries(
  db: Db,
  clientId: string,
  { limit, taskId }: { limit: number; taskId?: string | undefined },
): Promise<(Delivery & { log: Attempt[] })[]> {
  const deliveries = await db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('client_id', '=', clientId)
    .$if(taskId !== undefined, (query) => query.where('task_id', '=', taskId as string))
    .orderBy('created_at', 'desc')
    .orderBy('delivery_id')
    .limit(limit)
    .execute()
  if (deliveries.length === 0) return []
  const attempts = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('client_id', '=', clientId)
    .where(
      'delivery_id',
      'in',
      deliveries.map(({ delivery_id }) => delivery_id),
    )
    .orderBy('attempted_at', 'desc')
    .execute()
  const log = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
  return deliveries.map((delivery) => ({ ...delivery, log: log.get(delivery.delivery_id) ?? [] }))
}

/**
 * Replays a finished delivery with the same webhook-id and a new schedule. Re-enables the URL if it was disabled after
 * a 410 response. Throws `not_found` for an unknown delivery, and `conflict` while attempts are pending.
 */
export async function replayDelivery(db: Db, queue: Queue, clientId: string, deliveryId: string): Promise<void> {
  if (!isUuid(deliveryId)) throw notFound(deliveryId)
  await inTransaction(db, async (trx) => {
    const key = sql`client_id = ${clientId} and delivery_id = ${deliveryId}::uuid`
    const { rows } = await sql<{ state: string; url: string }>`
      select state, url from webhook_delivery where ${key} for update`.execute(trx)
    if (!rows[0]) throw notFound(deliveryId)
    if (rows[0].state === 'pending')
      throw new AppError('conflict', 'The delivery is still pending. Replay it after it has ended.')
    await sql`
      delete from webhook_disabled_url where client_id = ${clientId} and url = ${rows[0].url}`.execute(trx)
    await sql`
      update webhook_delivery set state = 'pending', attempts = 0, next_attempt_at = now(), ended_at = null
      where ${key}`.execute(trx)
    await enqueueDelivery(trx, queue, { client_id: clientId, delivery_id: deliveryId })
  })
}

/** Enqueues a job for each pending delivery without a job, and returns the number of jobs. */
export async function requeueDeliveries(db: Db, queue: Queue): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<DeliveryJob & { next_attempt_at: string }>`
      select client_id, delivery_id, next_attempt_at from webhook_delivery d
      where state = 'pending' and not exists (
        select from ${unfinishedJobs([WEBHOOK])} as job
        where data ->> 'client_id' = d.client_id and (data ->> 'delivery_id')::uuid = d.delivery_id
      )
      for update skip locked`.execute(trx)
    const jobs = rows.map(({ next_attempt_at, ...data }) => ({ data, startAfter: next_attempt_at }))
    await queue.enqueue(trx, WEBHOOK, jobs)
    return rows.length
  })
}

/** Deletes deliveries that finished more than `days` ago, with their attempts, and returns the count. */
export async function pruneDeliveries(db: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where ended_at < now() - ${days} * interval '1 day'`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const notFound = (deliveryId: string): AppError => new AppError('not_found', `Delivery ${deliveryId} not found.`)

import { sql } from 'kysely'
import { markFailed } from '../companies/company-rows.ts'
import type { Db } from '../db/database.ts'
import type { Outcome } from '../db/task-tables.ts'
import { AppError } from '../lib/errors.ts'
import { prepared } from '../lib/prepared-statements.ts'
import type { Queue } from '../lib/queue.ts'
import type { ClaimedItem } from './claim-item.ts'
import type { TaskEnd } from './close-task.ts'
import { closeTask } from './close-task.ts'
import type { ItemJob } from './queues.ts'
import { isRefunded } from './refund-rule.ts'
import { stateOf, statesBefore } from './states.ts'

export interface ItemResult {
  outcome: Outcome
  /** Human-readable reason the item is incomplete. */
  reason: string | null
  /** The item's part of the task's `output_data`. */
  output: object
}

/** The error for an attempt whose item has been claimed by another worker. The attempt's findings are discarded. */
export const lostAttempt = (): AppError =>
  new AppError('conflict', 'The attempt was lost: another worker has claimed the item.')

/**
 * Ends an item in the transaction that stores its findings. If this was the last item, closes and returns the task.
 * Call this last in the transaction, because it blocks the task's other items and the client's charges until the
 * transaction commits.
 */
export async function finishItem(
  trx: Db,
  queue: Queue,
  item: ClaimedItem,
  result: ItemResult,
): Promise<TaskEnd | undefined> {
  const ended = await endItem(trx, item, result, sql`state = 'running' and attempt = ${item.attempt}`)
  if (!ended) throw lostAttempt()
  return await closeIfLast(trx, queue, item, ended)
}

/**
 * Fails an item that has no attempts left. Finished items are not changed. Returns the task if this was its last item.
 */
export async function failItem(db: Db, queue: Queue, job: ItemJob, reason: string): Promise<TaskEnd | undefined> {
  return await db.transaction().execute(async (trx) => {
    const guard = sql`state = any(${statesBefore('failed')}::text[])`
    const key = sql`client_id = ${job.client_id} and task_id = ${job.task_id}::uuid and item = ${job.item}`
    // Locks the company before the item, in the same order as all writers of findings.
    await sql`select from company where domain = (select domain from task_item where ${key}) for update`.execute(trx)
    const { rows } = await sql<{ groups: string[]; domain: string | null }>`
      select groups, domain from task_item where ${key} and ${guard} for no key update`.execute(trx)
    if (!rows[0]) return undefined
    const { groups, domain } = rows[0]
    if (groups.includes('company') && domain !== null) await markFailed(trx, domain, reason)
    const ended = await endItem(trx, job, { outcome: 'failed', reason, output: {} }, guard)
    return ended && (await closeIfLast(trx, queue, job, ended))
  })
}

async function closeIfLast(trx: Db, queue: Queue, job: ItemJob, { last, ...task }: EndedItem) {
  if (!last) return undefined
  await closeTask(trx, queue, job, task)
  return task
}

type EndedItem = TaskEnd & { last: boolean }

/**
 * Ends an item and updates its task's counters. The lock on the task's row ensures that exactly one transaction closes
 * the task. Returns undefined if the guard is false.
 */
async function endItem(
  trx: Db,
  job: ItemJob,
  { outcome, reason, output }: ItemResult,
  guard: ReturnType<typeof sql>,
): Promise<EndedItem | undefined> {
  const failed = sql`${outcome === 'failed' ? 1 : 0}::integer`
  const refund = sql`case when ${isRefunded(outcome)} then ended.cost else 0 end`
  const { rows } = await sql<EndedItem>`${prepared}
    with ended as (
      update task_item
      set state = ${stateOf(outcome)}, outcome = ${outcome}, reason = ${reason}, output = ${JSON.stringify(output)}::jsonb,
        ended_at = clock_timestamp()
      where client_id = ${job.client_id} and task_id = ${job.task_id}::uuid and item = ${job.item} and ${guard}
      returning client_id, task_id, cost
    )
    update task t
    set items_done = items_done + 1, items_failed = items_failed + ${failed}, units_to_refund = units_to_refund + ${refund},
      units_refunded = case when items_done + 1 = items_total then units_to_refund + ${refund} else 0 end,
      state = case when items_done + 1 < items_total then 'running'
        when items_failed + ${failed} = items_total then 'failed' else 'completed' end,
      started_at = coalesce(started_at, clock_timestamp()),
      completed_at = case when items_done + 1 = items_total then clock_timestamp() end
    from ended
    where t.client_id = ended.client_id and t.task_id = ended.task_id
    returning items_done = items_total as last, task_type, t.state, callback_url, units_refunded,
      extract(epoch from clock_timestamp() - created_at)::float8 as seconds`.execute(trx)
  return rows[0]
}

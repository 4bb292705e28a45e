import { sql } from 'kysely'
import { markFailed } from '../companies/company-rows.ts'
import type { Db } from '../db/database.ts'
import type { Outcome } from '../db/task-tables.ts'
import { AppError } from '../lib/errors.ts'
import { prepared } from '../lib/prepared-statements.ts'
import type { Queue } from '../lib/queue.ts'
import type { ClaimedItem } from './claim-item.ts'
import type { EndedTask } from './close-task.ts'
import { closeTask } from './close-task.ts'
import type { ItemJob } from './queues.ts'
import { isRefunded } from './refund-rule.ts'
import { stateOf, statesBefore } from './states.ts'

export interface ItemResult {
  outcome: Outcome
  /** Why it is not complete, in words. */
  reason: string | null
  /** Its part of the task's `output_data`. */
  output: object
}

/** The attempt was reassigned to another worker, so its findings are discarded. */
export const lostAttempt = (): AppError =>
  new AppError('conflict', 'The attempt was lost: another worker has claimed the item.')

/**
 * Ends an item in the transaction that stores its findings. The last item closes the task; returns whether a
 * notification was enqueued. Call it last in the transaction: other items of the task and charges of the client wait
 * until the commit.
 */
export async function finishItem(trx: Db, queue: Queue, item: ClaimedItem, result: ItemResult): Promise<boolean> {
  const ended = await endItem(trx, item, result, sql`state = 'running' and attempt = ${item.attempt}`)
  if (!ended) throw lostAttempt()
  return ended.last && (await closeTask(trx, queue, item, ended))
}

/**
 * Fails an item that has no attempts left. Items that have already finished are left unchanged. Returns whether a
 * notification was enqueued.
 */
export async function failItem(db: Db, queue: Queue, job: ItemJob, reason: string): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const guard = sql`state = any(${statesBefore('failed')}::text[])`
    const key = sql`client_id = ${job.client_id} and task_id = ${job.task_id}::uuid and item = ${job.item}`
    // The company before the item, the lock order of everything that writes findings.
    await sql`select from company where domain = (select domain from task_item where ${key}) for update`.execute(trx)
    const { rows } = await sql<{ groups: string[]; domain: string | null }>`
      select groups, domain from task_item where ${key} and ${guard} for no key update`.execute(trx)
    if (!rows[0]) return false
    const { groups, domain } = rows[0]
    if (groups.includes('company') && domain !== null) await markFailed(trx, domain, reason)
    const ended = await endItem(trx, job, { outcome: 'failed', reason, output: {} }, guard)
    return ended?.last === true && (await closeTask(trx, queue, job, ended))
  })
}

/**
 * Ends an item and updates the counters of its task, whose row lock decides which transaction closes the task.
 * Undefined when the guard does not hold.
 */
async function endItem(
  trx: Db,
  job: ItemJob,
  { outcome, reason, output }: ItemResult,
  guard: ReturnType<typeof sql>,
): Promise<(EndedTask & { last: boolean }) | undefined> {
  const failed = sql`${outcome === 'failed' ? 1 : 0}::integer`
  const refund = sql`case when ${isRefunded(outcome)} then ended.cost else 0 end`
  const { rows } = await sql<EndedTask & { last: boolean }>`${prepared}
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
    returning items_done = items_total as last, task_type, t.state, callback_url, units_refunded`.execute(trx)
  return rows[0]
}

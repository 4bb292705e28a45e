import { sql } from 'kysely'
import { markFailed } from '../companies/company-rows.ts'
import type { Db } from '../db/database.ts'
import type { Outcome } from '../db/task-tables.ts'
import { AppError } from '../lib/errors.ts'
import { prepared } from '../lib/prepared.ts'
import type { Queue } from '../lib/queue.ts'
import type { ClaimedItem } from './claim-item.ts'
import { closeTask } from './close-task.ts'
import type { ItemJob } from './queues.ts'
import { stateOf, statesBefore } from './states.ts'

export interface ItemResult {
  outcome: Outcome
  /** Why it is not complete, in words. */
  reason: string | null
  /** Its part of the task's output_data. */
  output: object
}

/** A worker's attempt was given to another while it was silent: what it found is not written. */
export const lostAttempt = (): AppError =>
  new AppError('conflict', 'Another worker has this item: the attempt was lost.')

/**
 * Locks the item for this attempt, before anything of it is written: from here to the commit no other attempt can end it. Throws `conflict` when
 * the attempt was lost.
 */
export async function fenceItem(trx: Db, { client_id, task_id, item, attempt }: ClaimedItem): Promise<void> {
  const { rows } = await sql`${prepared}
    select 1 from task_item
    where client_id = ${client_id} and task_id = ${task_id}::uuid and item = ${item}
      and state = 'running' and attempt = ${attempt}
    for no key update`.execute(trx)
  if (rows.length === 0) throw lostAttempt()
}

/** Ends an item, in the transaction that holds its findings. The last one of a task closes the task. */
export async function finishItem(trx: Db, queue: Queue, item: ClaimedItem, result: ItemResult): Promise<void> {
  const ended = await endItem(trx, item, result, sql`state = 'running' and attempt = ${item.attempt}`)
  if (!ended) throw lostAttempt()
  await countItem(trx, queue, item, result.outcome)
}

/** Ends an item whose attempts are used up. An item that has ended meanwhile stays as it is. */
export async function abandonItem(db: Db, queue: Queue, job: ItemJob, reason: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const result: ItemResult = { outcome: 'failed', reason, output: {} }
    const ended = await endItem(trx, job, result, sql`state = any(${statesBefore('failed')}::text[])`)
    if (!ended) return
    if (ended.entity === 'company' && ended.domain !== null) await markFailed(trx, ended.domain, reason)
    await countItem(trx, queue, job, result.outcome)
  })
}

async function endItem(
  trx: Db,
  job: ItemJob,
  result: ItemResult,
  guard: ReturnType<typeof sql>,
): Promise<{ entity: string; domain: string | null } | undefined> {
  const { rows } = await sql<{ entity: string; domain: string | null }>`${prepared}
    update task_item
    set state = ${stateOf(result.outcome)}, outcome = ${result.outcome}, reason = ${result.reason},
      output = ${JSON.stringify(result.output)}::jsonb, ended_at = clock_timestamp()
    where client_id = ${job.client_id} and task_id = ${job.task_id}::uuid and item = ${job.item} and ${guard}
    returning entity, domain`.execute(trx)
  return rows[0]
}

/** The task's counters tell under their own lock whether this was the last item: exactly one transaction closes the task. */
async function countItem(trx: Db, queue: Queue, job: ItemJob, outcome: Outcome): Promise<void> {
  const failed = outcome === 'failed' ? 1 : 0
  const { rows } = await sql<{ last: boolean }>`${prepared}
    update task
    set items_done = items_done + 1, items_failed = items_failed + ${failed},
      state = case when items_done + 1 < items_total then 'running'
        when items_failed + ${failed} = items_total then 'failed' else 'completed' end,
      started_at = coalesce(started_at, clock_timestamp()),
      completed_at = case when items_done + 1 = items_total then clock_timestamp() end
    where client_id = ${job.client_id} and task_id = ${job.task_id}::uuid
    returning items_done = items_total as last`.execute(trx)
  if (rows[0]?.last) await closeTask(trx, queue, job)
}

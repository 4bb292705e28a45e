import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Outcome, TaskState } from '../db/task-tables.ts'
import { prepared } from '../lib/prepared.ts'
import type { Queue } from '../lib/queue.ts'
import { refundUnits } from '../units/refund.ts'
import { enqueueNotification } from '../webhooks/enqueue.ts'
import { isRefunded } from './states.ts'

const REFUNDED = (['failed', 'not_found'] as const satisfies readonly Outcome[]).filter(isRefunded)

interface TaskKey {
  client_id: string
  task_id: string
}

/**
 * What follows from the end of a task, in the transaction that ended it: the client's notification, and refunds. Those come last, because charges of
 * the client wait from there to the commit. True when the client is to be notified.
 */
export async function closeTask(trx: Db, queue: Queue, key: TaskKey): Promise<boolean> {
  const { client_id: clientId, task_id: taskId } = key
  const { rows } = await sql<{
    task_type: string
    state: TaskState
    callback_url: string | null
    units_refunded: number
  }>`${prepared}
    update task t
    set units_refunded = (
      select coalesce(sum(cost), 0) from task_item i
      where i.client_id = t.client_id and i.task_id = t.task_id and i.outcome = any(${REFUNDED}::text[]))
    where client_id = ${clientId} and task_id = ${taskId}::uuid
    returning task_type, state, callback_url, units_refunded`.execute(trx)
  const [task] = rows
  if (!task) return false
  const { task_type: taskType, state: status, callback_url: url } = task
  await enqueueNotification(trx, queue, { clientId, taskId, taskType, status, url })
  if (task.units_refunded > 0) await refundItems(trx, key)
  return url !== null
}

/** Gives back what the items that failed or found nothing cost. */
async function refundItems(trx: Db, { client_id: clientId, task_id: taskId }: TaskKey): Promise<void> {
  const items = await trx
    .selectFrom('task_item')
    .select(['item', 'cost', 'outcome', 'domain'])
    .where('client_id', '=', clientId)
    .where('task_id', '=', taskId)
    .where('outcome', 'in', REFUNDED)
    .execute()
  await refundUnits(trx, {
    clientId,
    taskId,
    items: items.map(({ item, cost, outcome, domain }) => ({
      item,
      units: cost,
      reason: [domain, outcome?.replace('_', ' ')].filter(Boolean).join(': '),
    })),
  })
}

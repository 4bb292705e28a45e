import type { Db } from '../db/database.ts'
import type { Outcome } from '../db/task-tables.ts'
import type { Queue } from '../lib/queue.ts'
import { refundUnits } from '../units/refund.ts'
import { enqueueNotification } from '../webhooks/enqueue.ts'
import { isRefunded } from './states.ts'

const REFUNDED = (['failed', 'not_found'] as const satisfies readonly Outcome[]).filter(isRefunded)

/**
 * What follows from the end of a task, in the transaction that ended it: the client's notification, and refunds. Those come last, and this last in its
 * transaction, because charges of the client wait from there to the commit.
 */
export async function closeTask(trx: Db, queue: Queue, key: { client_id: string; task_id: string }): Promise<void> {
  const { client_id: clientId, task_id: taskId } = key
  const items = await trx
    .selectFrom('task_item')
    .select(['item', 'cost', 'outcome', 'domain'])
    .where('client_id', '=', clientId)
    .where('task_id', '=', taskId)
    .where('outcome', 'in', REFUNDED)
    .execute()
  const refunds = items.map(({ item, cost, outcome, domain }) => ({
    item,
    units: cost,
    reason: [domain, outcome?.replace('_', ' ')].filter(Boolean).join(': '),
  }))
  const task = await trx
    .updateTable('task')
    .set({ units_refunded: refunds.reduce((sum, { units }) => sum + units, 0) })
    .where('client_id', '=', clientId)
    .where('task_id', '=', taskId)
    .returning(['task_type', 'state', 'callback_url'])
    .executeTakeFirstOrThrow()
  const { task_type: taskType, state: status, callback_url: url } = task
  await enqueueNotification(trx, queue, { clientId, taskId, taskType, status, url })
  await refundUnits(trx, { clientId, taskId, items: refunds })
}

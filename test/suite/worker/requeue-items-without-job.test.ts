import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readTask } from '../../../src/tasks/read-task.ts'
import { requeueItemsWithoutJob } from '../../../src/tasks/requeue-items-without-job.ts'
import { listDeliveries, requeueDeliveries } from '../../../src/webhooks/deliveries.ts'
import { enqueueNotification } from '../../../src/webhooks/enqueue.ts'
import { givenClient } from '../../helpers/clients.ts'
import { eventually } from '../../helpers/eventually.ts'
import { submitCompanies } from '../../helpers/submissions.ts'
import { findsAs, openWorkshop } from '../../helpers/work.ts'
import { startReceiver } from '../webhooks/receiver.ts'

it('keeps waiting jobs for decades, regardless of how long the workers are down', async () => {
  await using shop = await openWorkshop()
  await submitCompanies(shop, await givenClient(shop.db), ['kept.example'])
  const { rows } = await sql`select keep_until - start_after > interval '49 years' as kept from pgboss.job`.execute(
    shop.db,
  )
  expect(rows).toEqual([{ kept: true }])
})

it('requeues items without a job and charges them once, and leaves other items unchanged', async () => {
  await using shop = await openWorkshop()
  const client = await givenClient(shop.db)
  const { task_id } = await submitCompanies(shop, client, ['queued.example', 'started.example', 'kept.example'])
  await sql`delete from pgboss.job where data ->> 'item' <> '3'`.execute(shop.db)
  await sql`update task_item set state = 'running', attempt = 7, started_at = now() where domain = 'started.example'`.execute(
    shop.db,
  )
  expect(await requeueItemsWithoutJob(shop.db, shop.queue)).toBe(2)
  expect(await requeueItemsWithoutJob(shop.db, shop.queue)).toBe(0)
  await using _worker = shop.startWorker(findsAs({ 'started.example': { outcome: 'failed', reason: 'down' } }))
  const task = await eventually('the task ends', async () => {
    const found = await readTask(shop.db, client, task_id)
    return found.status === 'completed' ? found : undefined
  })
  expect(task).toMatchObject({ status: 'completed' })
  const { rows } = await sql<{ kind: string; units: number }>`
    select kind, units from ledger_entry where task_id = ${task_id}::uuid order by entry_id`.execute(shop.db)
  expect(rows).toEqual([
    { kind: 'charge', units: -3 },
    { kind: 'refund', units: 1 },
  ])
})

it('requeues webhooks without a job', async () => {
  await using shop = await openWorkshop()
  await using receiver = await startReceiver()
  const clientId = await givenClient(shop.db)
  const about = { clientId, taskId: randomUUID(), taskType: 'enrich_batch', status: 'completed', url: receiver.url }
  await shop.db.transaction().execute((trx) => enqueueNotification(trx, shop.queue, about))
  await sql`delete from pgboss.job`.execute(shop.db)
  expect(await requeueDeliveries(shop.db, shop.queue)).toBe(1)
  await using _worker = shop.startWorker(findsAs())
  await eventually('it is delivered', async () => {
    const [delivery] = await listDeliveries(shop.db, clientId, { limit: 1 })
    return delivery?.state === 'delivered'
  })
})

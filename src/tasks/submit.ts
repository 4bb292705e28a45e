import { randomUUID } from 'node:crypto'
import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { ensureCompanies } from '../companies/company-rows.ts'
import { addViewer } from '../companies/visibility.ts'
import type { TaskType } from '../contract/tasks.ts'
import type { Db } from '../db/database.ts'
import type { Queue } from '../lib/queue.ts'
import { sum } from '../lib/sum.ts'
import { traceparent } from '../lib/tracing.ts'
import { chargeUnits } from '../units/charge.ts'
import { enqueueNotification, WEBHOOK } from '../webhooks/enqueue.ts'
import type { Idempotency } from './idempotency.ts'
import { claimKey, storeResponse } from './idempotency.ts'
import type { PlannedItem } from './insert-task.ts'
import { insertTask } from './insert-task.ts'
import type { StoredQuote } from './purchase.ts'
import { checkPrice, claimQuote, storePurchase } from './purchase.ts'
import type { ItemJob } from './queues.ts'
import { ENRICH } from './queues.ts'

export interface SubmitDeps {
  db: Db
  queue: Queue
}

/** A request resolved into items. Fresh items are already completed. */
export interface TaskPlan {
  taskType: TaskType
  input: object
  callbackUrl: string | null
  items: readonly PlannedItem[]
  /** A human-readable description of the task. */
  message: string
  /** Additional response fields. */
  response?: object
}

export interface Submission {
  clientId: string
  idempotency: Idempotency | null
  /** The quote being purchased. The charge is capped at the quoted price, and the quote can be used only once. */
  quote?: Pick<StoredQuote, 'quoteId' | 'units'>
  /** The submitting user, for the audit log. */
  actor: Actor
  /** Plans the task within the transaction that charges for it. Only reads. */
  plan: (trx: Db) => Promise<TaskPlan>
}

export interface SubmissionReply {
  task_id: string
  /** Always `queued`, as the API specifies, even if the task needed no work and is already completed. */
  status: 'queued'
  message: string
  units_charged: number
  units_remaining: number
}

/**
 * Accepts a request. The task, items, jobs, charge and response are committed in one transaction. The charge comes
 * last, because it blocks the client's other charges until the transaction commits. Throws `insufficient_units`, and
 * `unprocessable` if the idempotency key was used for a different request. Throws `conflict` if the quote has expired
 * or the price has risen.
 */
export async function submitTask({ db, queue }: SubmitDeps, submission: Submission): Promise<SubmissionReply> {
  const { clientId, idempotency, quote } = submission
  const response = await db.transaction().execute(async (trx) => {
    const earlier = idempotency && (await claimKey<SubmissionReply>(trx, clientId, idempotency))
    if (earlier) return earlier
    const purchased = quote && (await claimQuote<SubmissionReply>(trx, clientId, quote.quoteId))
    if (purchased) return purchased
    const plan = await submission.plan(trx)
    const units = sum(plan.items.map(({ cost }) => cost))
    if (quote) checkPrice(units, quote)
    const work = plan.items.filter(({ completed }) => !completed)
    // Companies are locked before units and tasks, because writers of findings lock companies first.
    const domains = work.flatMap(({ entity, domain }) => (entity === 'company' && domain !== null ? [domain] : []))
    await ensureCompanies(trx, domains)
    await addViewer(trx, clientId, domains)
    const taskId = randomUUID()
    await insertTask(trx, { ...plan, clientId, taskId, unitsCharged: units })
    const parent = traceparent()
    const cause = parent === undefined ? {} : { traceparent: parent }
    const jobs = plan.items.flatMap(({ completed }, index) =>
      completed
        ? []
        : [{ data: { client_id: clientId, task_id: taskId, item: index + 1, ...cause } satisfies ItemJob }],
    )
    await queue.enqueue(trx, ENRICH, jobs)
    if (jobs.length === 0)
      await enqueueNotification(trx, queue, {
        clientId,
        taskId,
        taskType: plan.taskType,
        status: 'completed',
        url: plan.callbackUrl,
      })
    const remaining = await chargeUnits(trx, { clientId, taskId, units })
    const made = {
      task_id: taskId,
      status: 'queued',
      message: plan.message,
      units_charged: units,
      units_remaining: remaining,
      ...plan.response,
    } satisfies SubmissionReply
    const details = { units, ...(quote && { quote_id: quote.quoteId }) }
    await recordAudit(trx, submission.actor, { action: 'task.submit', target: taskId, details })
    if (idempotency) await storeResponse(trx, clientId, idempotency, made)
    if (quote) await storePurchase(trx, clientId, quote.quoteId, made)
    return made
  })
  queue.wake(ENRICH)
  queue.wake(WEBHOOK)
  return response
}

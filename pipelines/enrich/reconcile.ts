import type { AnyTask } from '../../src/client/enrichment.ts'
import { sleep } from '../../src/lib/backoff.ts'
import { AppError } from '../../src/lib/errors.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { findTask } from './find-task.ts'
import type { Submission } from './submissions.ts'
import { listOpen, updateSubmission } from './submissions.ts'

/**
 * Brings every open submission as far as it can be: an intent whose fate is not known is looked up at the service, a task is followed
 * to its end. `waitMs` bounds the waiting; what takes longer stays open for the next night. Returns reasons.
 */
export async function reconcileSubmissions(context: RunContext, waitMs: number): Promise<string[]> {
  const { db } = context.warehouse
  const reasons: string[] = []
  for (const submission of await listOpen(db)) {
    if (submission.state === 'submitted') continue
    const reason = await settleIntent(context, submission)
    if (reason) reasons.push(reason)
  }
  const deadline = Date.now() + waitMs
  const tasks = (await listOpen(db)).filter(({ state }) => state === 'submitted')
  let done = 0
  context.progress(0, tasks.length)
  for (const submission of tasks) {
    const reason = await followTask(context, submission, deadline)
    if (reason) reasons.push(reason)
    context.progress(++done, tasks.length)
  }
  return reasons
}

/** Did it arrive? Only the service knows. */
async function settleIntent(context: RunContext, submission: Submission): Promise<string | undefined> {
  const { db } = context.warehouse
  const { submission_key: key, domains, night } = submission
  const found = await findTask(context, submission)
  if (found === 'unknown') {
    if (submission.state !== 'unknown')
      await updateSubmission(db, key, {
        state: 'unknown',
        reason: 'the service does not show what this task was for, or lists too few',
      })
    return `whether the submission of ${night} for ${pluralize(domains.length, 'company', 'companies')} was paid cannot be found out (${key}): look at the service's tasks, and set its state in warehouse.submission`
  }
  if (found === 'never') {
    await updateSubmission(db, key, { state: 'void', reason: 'it never reached the service' })
    return undefined
  }
  const charged = submission.units_charged ?? submission.quoted_units
  context.counts.units += charged
  await updateSubmission(db, key, { state: 'submitted', task_id: found.id, units_charged: charged })
  return undefined
}

async function followTask(context: RunContext, submission: Submission, deadline: number): Promise<string | undefined> {
  const id = submission.task_id as string
  const { poll_seconds } = context.settings.enrich
  const began = Date.now()
  for (;;) {
    const task = await context.client.tasks.get(id, context.signal).catch((error: unknown) => missing(error))
    if (task === undefined) {
      await updateSubmission(context.warehouse.db, submission.submission_key, {
        state: 'unknown',
        reason: 'the service does not know the task any more',
      })
      return `the service does not know task ${id} any more: whether its ${submission.units_charged} units were well spent cannot be told`
    }
    if (task.status === 'completed' || task.status === 'failed') return await closeSubmission(context, submission, task)
    // A task that has taken long may take longer: no wait is longer than a fifth of what was waited.
    const wait = Math.min(Math.max(250, (Date.now() - began) / 5), poll_seconds * 1000)
    if (Date.now() + wait > deadline) return `task ${id} is still ${task.status}; the next night settles it`
    await sleep(wait, context.signal)
  }
}

async function closeSubmission(
  context: RunContext,
  submission: Submission,
  task: AnyTask,
): Promise<string | undefined> {
  const refunded = task.units_refunded ?? 0
  context.counts.units -= refunded
  const reason = task.status === 'failed' ? `task ${task.id} failed` : null
  await updateSubmission(context.warehouse.db, submission.submission_key, {
    state: task.status === 'completed' ? 'completed' : 'failed',
    units_refunded: refunded,
    reason,
  })
  return reason
    ? `${reason}: nothing changed for ${pluralize(submission.domains.length, 'company', 'companies')}; ${refunded} of ${pluralize(submission.units_charged ?? 0, 'unit')} came back`
    : undefined
}

function missing(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined
  throw error
}

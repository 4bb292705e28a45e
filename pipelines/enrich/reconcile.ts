import type { AnyTask } from '../../src/client/enrichment.ts'
import { sleep } from '../../src/lib/backoff.ts'
import { AppError } from '../../src/lib/errors.ts'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { RunContext } from '../runner/pipeline.ts'
import { findTask } from './find-task.ts'
import type { Submission } from './submissions.ts'
import { listOpen, updateSubmission } from './submissions.ts'

/**
 * Reconciles every open submission with the service: intents without a known outcome are looked up, and tasks are followed
 * to their end for at most `waitMs`; longer ones stay open. Returns reasons.
 */
export async function reconcileSubmissions(context: RunContext, waitMs: number): Promise<string[]> {
  const { db } = context.warehouse
  const reasons: string[] = []
  for (const submission of await listOpen(db)) {
    if (submission.state === 'submitted') continue
    const reason = await reconcileIntent(context, submission)
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

/** Finds out whether the intent reached the service. */
async function reconcileIntent(context: RunContext, submission: Submission): Promise<string | undefined> {
  const { db } = context.warehouse
  const { submission_key: key, domains, night } = submission
  const found = await findTask(context, submission)
  if (found === 'unknown') {
    if (submission.state !== 'unknown')
      await updateSubmission(db, key, {
        state: 'unknown',
        reason: 'the service does not show the input of its tasks, or lists too few of them',
      })
    return `the outcome of submission ${key} (${night}, ${pluralize(domains.length, 'company', 'companies')}) is unknown: check the service's tasks and set its state in warehouse.submission`
  }
  if (found === 'never') {
    await updateSubmission(db, key, { state: 'void', reason: 'never reached the service' })
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
        reason: 'the service no longer knows the task',
      })
      return `the service no longer knows task ${id}, which cost ${pluralize(submission.units_charged ?? 0, 'unit')}: its outcome is unknown`
    }
    if (task.status === 'completed' || task.status === 'failed') return await closeSubmission(context, submission, task)
    // Polls less often the longer the task takes: each wait is a fifth of the time so far.
    const wait = Math.min(Math.max(250, (Date.now() - began) / 5), poll_seconds * 1000)
    if (Date.now() + wait > deadline) return `task ${id} is still ${task.status}; the next night reconciles it`
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
    ? `${reason}: ${pluralize(submission.domains.length, 'company', 'companies')} did not change; ${refunded} of ${pluralize(submission.units_charged ?? 0, 'unit')} were refunded`
    : undefined
}

function missing(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined
  throw error
}

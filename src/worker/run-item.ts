import type { Db } from '../db/database.ts'
import { messageOf } from '../lib/errors.ts'
import type { Log } from '../lib/logger.ts'
import type { JobAttempt, Queue } from '../lib/queue.ts'
import { inSpan } from '../lib/tracing.ts'
import type { ClaimedItem } from '../tasks/claim-item.ts'
import { claimItem, releaseItem } from '../tasks/claim-item.ts'
import type { TaskEnd } from '../tasks/close-task.ts'
import type { ItemResult } from '../tasks/finish-item.ts'
import { failItem, finishItem, lostAttempt } from '../tasks/finish-item.ts'
import type { ItemJob } from '../tasks/queues.ts'
import { ATTEMPTS, ENRICH, ENRICH_DEAD } from '../tasks/queues.ts'
import { WEBHOOK } from '../webhooks/enqueue.ts'
import { TryAgain } from './consume.ts'

export interface ItemDeps {
  db: Db
  queue: Queue
  log: Log
  enrichItem: ItemEnricher
  /** Called after a task's last item has finished. */
  onTaskEnd?: (task: TaskEnd) => void
}

/**
 * Queries the sources for an item, outside of any transaction. The returned function writes the findings in the
 * transaction that ends the item, and returns the outcome. `retryable` requests another attempt if any attempts are
 * left.
 */
export type ItemEnricher = (item: ClaimedItem, signal: AbortSignal) => Promise<(trx: Db) => Promise<EnrichResult>>

export interface EnrichResult extends ItemResult {
  retryable: boolean
}

/**
 * Runs one attempt at an item. Claims and enriches the item, then writes the findings, ends the item (and its task
 * after the last item) and completes the job in one transaction. A worker that has lost its attempt does not change
 * data.
 */
export async function runItem(deps: ItemDeps, job: JobAttempt<ItemJob>, signal: AbortSignal): Promise<void> {
  const { db, queue, enrichItem } = deps
  const item = await claimItem(db, job.data, job.retryCount + 1)
  if (!item) {
    // The item has finished, or a newer attempt has claimed it.
    await queue.complete(db, ENRICH, job)
    return
  }
  try {
    const parent = job.data.traceparent ?? null
    const write = await inSpan(
      `enrich ${item.entity}`,
      { kind: 'CONSUMER', parent, attributes: attributesOf(item) },
      () => enrichItem(item, signal),
    )
    signal.throwIfAborted()
    const ended = await db.transaction().execute(async (trx) => {
      // The job is completed first, so that it cannot be reassigned before the commit.
      if (!(await queue.complete(trx, ENRICH, job))) throw lostAttempt()
      const { retryable, ...result } = await write(trx)
      // The sources were unavailable and the item can be retried, so the error rolls back the transaction.
      if (retryable && item.failures + 1 < ATTEMPTS) throw new TryAgain(result.reason ?? 'sources unavailable')
      return await finishItem(trx, queue, item, result)
    })
    taskEnded(deps, ended)
  } catch (error) {
    await releaseItem(db, item, error instanceof TryAgain).catch((failure: unknown) =>
      deps.log.debug({ err: messageOf(failure) }, 'releasing an item failed; its next attempt will claim it'),
    )
    throw error
  }
}

const attributesOf = ({ task_id, item, attempt, task_type }: ClaimedItem) => ({
  'talhouse.task.id': task_id,
  'talhouse.task.type': task_type,
  'talhouse.task.item': item,
  'talhouse.task.attempt': attempt,
})

/** Fails an item that has no attempts left, so that its task ends and the client is refunded. */
export async function deadLetterItem(deps: ItemDeps, job: JobAttempt<ItemJob>): Promise<void> {
  const { db, queue } = deps
  const ended = await failItem(db, queue, job.data, 'no attempts left')
  await queue.complete(db, ENRICH_DEAD, job)
  taskEnded(deps, ended)
}

function taskEnded({ queue, onTaskEnd }: ItemDeps, task: TaskEnd | undefined): void {
  if (!task) return
  onTaskEnd?.(task)
  if (task.callback_url !== null) queue.wake(WEBHOOK)
}

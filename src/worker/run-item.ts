import type { Db } from '../db/database.ts'
import { messageOf } from '../lib/errors.ts'
import type { Log } from '../lib/logger.ts'
import type { JobAttempt, Queue } from '../lib/queue.ts'
import type { ClaimedItem } from '../tasks/claim-item.ts'
import { claimItem, releaseItem } from '../tasks/claim-item.ts'
import type { ItemResult } from '../tasks/finish-item.ts'
import { failItem, finishItem, lostAttempt } from '../tasks/finish-item.ts'
import type { ItemJob } from '../tasks/queues.ts'
import { ATTEMPTS, ENRICH, ENRICH_DEAD } from '../tasks/queues.ts'
import { WEBHOOK } from '../webhooks/enqueue.ts'

export interface ItemDeps {
  db: Db
  queue: Queue
  log: Log
  enrichItem: ItemEnricher
}

/**
 * Queries the sources for an item, outside any transaction. The returned function writes the findings in the
 * transaction that ends the item and returns its outcome. `retryable` requests another attempt if any is left.
 */
export type ItemEnricher = (item: ClaimedItem, signal: AbortSignal) => Promise<(trx: Db) => Promise<EnrichResult>>

export interface EnrichResult extends ItemResult {
  retryable: boolean
}

/** Rolls the transaction back: the sources were unavailable and may be retried. */
class TryAgain extends Error {
  override readonly name = 'TryAgain'
}

/**
 * Runs one attempt at an item: claim, enrich, then one transaction that writes the findings, ends the item and possibly
 * its task, and completes the job. A worker that lost its attempt changes nothing.
 */
export async function runItem(deps: ItemDeps, job: JobAttempt<ItemJob>, signal: AbortSignal): Promise<void> {
  const { db, queue, enrichItem } = deps
  const item = await claimItem(db, job.data, job.retryCount + 1)
  if (!item) {
    // The item has ended or a newer attempt holds it.
    await queue.complete(db, ENRICH, job)
    return
  }
  try {
    const write = await enrichItem(item, signal)
    signal.throwIfAborted()
    const notify = await db.transaction().execute(async (trx) => {
      // First, so that the job cannot be reassigned until the commit.
      if (!(await queue.complete(trx, ENRICH, job))) throw lostAttempt()
      const { retryable, ...result } = await write(trx)
      if (retryable && item.attempt < ATTEMPTS) throw new TryAgain(result.reason ?? 'sources unavailable')
      return await finishItem(trx, queue, item, result)
    })
    if (notify) queue.wake(WEBHOOK)
  } catch (error) {
    await releaseItem(db, item).catch((failure: unknown) =>
      deps.log.debug({ err: messageOf(failure) }, 'releasing an item failed; its next attempt claims it'),
    )
    throw error
  }
}

/** Fails an item without attempts left, so that its task ends and the client is refunded. */
export async function deadLetterItem({ db, queue }: ItemDeps, job: JobAttempt<ItemJob>): Promise<void> {
  const notify = await failItem(db, queue, job.data, 'no attempts left')
  await queue.complete(db, ENRICH_DEAD, job)
  if (notify) queue.wake(WEBHOOK)
}

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
 * Looks an item up at the sources: on the network, outside any transaction. What it returns writes the findings in the transaction that ends the
 * item, and says how it ended. `retryable` asks for another attempt, while there is one.
 */
export type ItemEnricher = (item: ClaimedItem, signal: AbortSignal) => Promise<(trx: Db) => Promise<EnrichResult>>

export interface EnrichResult extends ItemResult {
  retryable: boolean
}

/** Rolls the transaction back: the sources did not answer, and may later. */
class TryAgain extends Error {
  override readonly name = 'TryAgain'
}

/**
 * One attempt at one item: claim, look, then one transaction in which the findings, the item's end, what follows from it for the task, and
 * the job's completion stand or fall together. A worker that lost its attempt changes nothing.
 */
export async function runItem(deps: ItemDeps, job: JobAttempt<ItemJob>, signal: AbortSignal): Promise<void> {
  const { db, queue, enrichItem } = deps
  const item = await claimItem(db, job.data, job.retryCount + 1)
  if (!item) {
    // It has ended, or a newer attempt has it: this job has nothing left to do.
    await queue.complete(db, ENRICH, job)
    return
  }
  try {
    const write = await enrichItem(item, signal)
    signal.throwIfAborted()
    const notify = await db.transaction().execute(async (trx) => {
      // Before anything is written: from here to the commit the job is ours, and nobody else can be given another attempt at it.
      if (!(await queue.complete(trx, ENRICH, job))) throw lostAttempt()
      const { retryable, ...result } = await write(trx)
      if (retryable && item.attempt < ATTEMPTS) throw new TryAgain(result.reason ?? 'the sources do not answer')
      return await finishItem(trx, queue, item, result)
    })
    if (notify) queue.wake(WEBHOOK)
  } catch (error) {
    await releaseItem(db, item).catch((failure: unknown) =>
      deps.log.debug({ err: messageOf(failure) }, 'an item could not be given back; its next attempt takes it'),
    )
    throw error
  }
}

/** Ends an item whose attempts were used up, so that its task ends too and the client is refunded. */
export async function deadLetterItem({ db, queue }: ItemDeps, job: JobAttempt<ItemJob>): Promise<void> {
  const notify = await failItem(db, queue, job.data, 'given up: the attempts at it were used up')
  await queue.complete(db, ENRICH_DEAD, job)
  if (notify) queue.wake(WEBHOOK)
}

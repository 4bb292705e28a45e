import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { messageOf } from '../lib/errors.ts'
import type { Log } from '../lib/logger.ts'
import type { ClaimedItem } from './claim-item.ts'

/** For larger tasks, progress counts only finished items, because each item is less than one percent of the task. */
export const REPORTED_ITEMS = 100

/** Saves an item's progress during an attempt, for waiting clients. */
export interface ItemProgress {
  /** Number of sources that responded, and number of sources queried. */
  update(done: number, total: number): void
  /** Resolves when no write is in progress. */
  saved(): Promise<void>
}

/**
 * Tracks an item's progress. Storing the findings counts as one additional source. Updates during a write are merged
 * into the next write. A failed write is only logged, because completing the item does not depend on it.
 */
export function trackItem(db: Db, item: ClaimedItem, log: Log): ItemProgress {
  let latest = 0
  let writing: Promise<void> | undefined
  const write = async (): Promise<void> => {
    for (let written = 0; written < latest; ) {
      written = latest
      await save(db, item, written)
    }
  }
  return {
    update(done, total) {
      // No write is needed after the last source, because the item ends immediately.
      if (item.items_total > REPORTED_ITEMS || done >= total) return
      latest = done / (total + 1)
      writing ??= write()
        .catch((error: unknown) => log.debug({ err: messageOf(error) }, 'saving the progress of an item failed'))
        .finally(() => {
          writing = undefined
        })
    },
    saved: async () => await writing,
  }
}

async function save(db: Db, { client_id, task_id, item, attempt }: ClaimedItem, progress: number): Promise<void> {
  await sql`
    update task_item set progress = greatest(progress, ${progress}::float8)
    where client_id = ${client_id} and task_id = ${task_id}::uuid and item = ${item} and attempt = ${attempt} and ended_at is null`.execute(
    db,
  )
}

import type { QueryExecutorProvider } from 'kysely'
import { sql } from 'kysely'
import { expect } from 'vitest'

/** Resolves when the given number of statements are waiting for locks, which guarantees a race. */
export async function untilWaitingForLocks(db: QueryExecutorProvider, count: number): Promise<void> {
  await expect.poll(() => waitingForLocks(db), { timeout: 60_000 }).toBe(count)
}

async function waitingForLocks(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting ?? 0
}

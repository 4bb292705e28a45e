import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { reconcileUnits } from '../../../src/units/reconcile.ts'

/** State of the submissions with a prefix, after all of them have ended. */
export interface WorkDone {
  /** Accepted tasks that are missing or incomplete. */
  lost: number
  /** Domains with more than one task, and values whose change is recorded more than once in the history. */
  doubled: number
  discrepancies: number
}

/** Number of the prefix's tasks that have not ended. */
export async function countUnfinished(db: Db, prefix: string): Promise<number> {
  const { rows } = await sql<{ unfinished: number }>`
    select count(*)::int as unfinished from task_item where domain like ${`${prefix}-%`} and ended_at is null`.execute(
    db,
  )
  return rows[0]?.unfinished ?? 0
}

/** Compares the stored work with the accepted task IDs. */
export async function readWork(db: Db, prefix: string, accepted: readonly string[]): Promise<WorkDone> {
  const { rows } = await sql<{ lost: number; doubled: number }>`
    select
      (select count(*)::int from unnest(${accepted}::uuid[]) as promised (task_id) where not exists (
        select from task_item i where i.task_id = promised.task_id and i.outcome = 'complete')) as lost,
      (select count(*)::int from (
        select from task_item where domain like ${`${prefix}-%`} group by domain having count(*) > 1) as tasks)
      + (select count(*)::int from (
        select from history_event where domain like ${`${prefix}-%`}
        group by domain, person_id, field, new_value::text having count(*) > 1) as events) as doubled`.execute(db)
  const { lost = 0, doubled = 0 } = rows[0] ?? {}
  return { lost, doubled, discrepancies: (await reconcileUnits(db)).discrepancies.length }
}

/** Number of the prefix's companies completed in each second, counted from `start` (epoch milliseconds). */
export async function completionsPerSecond(db: Db, prefix: string, start: number): Promise<number[]> {
  const { rows } = await sql<{ second: number; items: number }>`
    select floor(extract(epoch from ended_at) - ${start / 1000})::int as second, count(*)::int as items
    from task_item where domain like ${`${prefix}-%`} and ended_at is not null group by 1`.execute(db)
  const counts: number[] = []
  for (const { second, items } of rows) if (second >= 0) counts[second] = items
  return Array.from(counts, (count) => count ?? 0)
}

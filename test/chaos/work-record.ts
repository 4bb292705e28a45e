import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { reconcileUnits } from '../../src/units/reconcile.ts'

/** Counts of invariant violations, which must be zero after any number of kills, and other counts. */
export interface WorkRecord {
  tasks: number
  /** Number of unfinished tasks and of tasks with unfinished items. */
  unfinished: number
  /** Number of company fields with a change that is recorded more than once in the history. */
  doubledEvents: number
  /** Number of tasks without exactly one notification. */
  wrongDeliveries: number
  /** Number of ledger discrepancies. */
  discrepancies: number
  outcomes: Record<string, number>
  /** Number of attempts beyond the first, summed over all items. */
  lostAttempts: number
  /** Maximum number of attempts for an item. */
  mostAttempts: number
}

/** Reads the final state of a client's work. */
export async function readWorkRecord(db: Db, clientId: string): Promise<WorkRecord> {
  const { rows } = await sql<Omit<WorkRecord, 'discrepancies' | 'outcomes'>>`
    select
      (select count(*) from task where client_id = ${clientId}) as tasks,
      (select count(*) from task where client_id = ${clientId} and completed_at is null)
        + (select count(*) from task_item where client_id = ${clientId} and ended_at is null) as unfinished,
      (select count(*) from (
        select from history_event group by domain, field, new_value::text having count(*) > 1) as doubled) as "doubledEvents",
      (select count(*) from task t where client_id = ${clientId} and callback_url is not null and 1 <> (
        select count(*) from webhook_delivery d where d.client_id = t.client_id and d.task_id = t.task_id)) as "wrongDeliveries",
      (select coalesce(sum(attempt - 1), 0) from task_item where client_id = ${clientId} and attempt > 0) as "lostAttempts",
      (select coalesce(max(attempt), 0) from task_item where client_id = ${clientId}) as "mostAttempts"`.execute(db)
  const outcomes = await sql<{ outcome: string; items: number }>`
    select outcome, count(*) as items from task_item where client_id = ${clientId} group by outcome`.execute(db)
  return {
    ...(rows[0] as (typeof rows)[0]),
    discrepancies: (await reconcileUnits(db)).discrepancies.length,
    outcomes: Object.fromEntries(outcomes.rows.map(({ outcome, items }) => [outcome, items])),
  }
}

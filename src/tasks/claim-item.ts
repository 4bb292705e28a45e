import { sql } from 'kysely'
import type { TaskType } from '../contract/tasks.ts'
import type { Db } from '../db/database.ts'
import type { FieldGroup } from '../findings/provider.ts'
import { prepared } from '../lib/prepared-statements.ts'
import type { ItemJob } from './queues.ts'
import { statesBefore, UNFINISHED } from './states.ts'

/** An item claimed by an attempt. */
export interface ClaimedItem extends ItemJob {
  attempt: number
  /** Number of earlier attempts in which the sources were unavailable. */
  failures: number
  entity: 'company' | 'person'
  groups: FieldGroup[]
  domain: string | null
  /** Start of the attempt, on the database's clock. */
  started_at: string
  input: Record<string, unknown>
  task_type: string
  /** Number of items in the task. */
  items_total: number
  /**
   * If true, all sources are queried regardless of freshness, as requested with `force` or implied by the task type.
   */
  forced: boolean
  /** The request's `max_age_days`, the age in days at which a company is stale; null if not given. */
  max_age_days: number | null
}

/** Task types without a `force` parameter. Such tasks are always charged, so they always query the sources. */
const ALWAYS_FORCED: readonly TaskType[] = ['enrich_batch', 'leadership_search', 'signal_discovery']

/**
 * Claims an item for an attempt. Attempt numbers only increase, so a paused worker cannot reclaim an item from a newer
 * attempt. Returns undefined if the item has finished or a newer attempt has claimed it.
 *
 * Lock order: item, task, account. The task is updated even if it is already running, so that this transaction
 * conflicts with a concurrent release of another item.
 */
export async function claimItem(db: Db, job: ItemJob, attempt: number): Promise<ClaimedItem | undefined> {
  const { rows } = await sql<ClaimedItem>`${prepared}
    with claimed as (
      update task_item
      set state = 'running', attempt = ${attempt}, started_at = clock_timestamp()
      where client_id = ${job.client_id} and task_id = ${job.task_id}::uuid and item = ${job.item}
        and state = any(${[...UNFINISHED]}::text[]) and attempt < ${attempt}
      returning *
    ), begun as (
      update task t
      set state = 'running', started_at = coalesce(t.started_at, clock_timestamp())
      from claimed
      where t.client_id = ${job.client_id} and t.task_id = claimed.task_id
      returning t.task_type, t.items_total, t.input as request
    )
    select claimed.client_id, claimed.task_id, claimed.item, claimed.attempt, claimed.failures, claimed.entity, claimed.groups,
      claimed.domain, claimed.started_at, claimed.input, begun.task_type, begun.items_total,
      (begun.task_type = any(${[...ALWAYS_FORCED]}::text[]) or coalesce((begun.request ->> 'force')::boolean, false)) as forced,
      (begun.request ->> 'max_age_days')::float8 as max_age_days
    from claimed cross join begun`.execute(db)
  return rows[0]
}

/**
 * Releases an item for a retry. `hasFailed` means that the attempt counts as a failure of the sources. The task becomes
 * `queued` again if all of its other items are still queued.
 */
export async function releaseItem(db: Db, item: ClaimedItem, hasFailed = false): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const key = sql`client_id = ${item.client_id} and task_id = ${item.task_id}::uuid`
    await sql`
      update task_item set state = 'queued', started_at = null, failures = failures + ${hasFailed ? 1 : 0}
      where ${key} and item = ${item.item} and state = any(${statesBefore('queued')}::text[]) and attempt = ${item.attempt}`.execute(
      trx,
    )
    await sql`select 1 from task where ${key} for no key update`.execute(trx)
    await sql`
      update task set state = 'queued'
      where ${key} and state = 'running' and items_done = 0
        and not exists (select from task_item where ${key} and state = 'running')`.execute(trx)
  })
}

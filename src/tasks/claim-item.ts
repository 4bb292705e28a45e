import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { FieldGroup } from '../findings/provider.ts'
import { prepared } from '../lib/prepared-statements.ts'
import type { ItemJob } from './queues.ts'
import type { TaskType } from './states.ts'
import { statesBefore, UNFINISHED } from './states.ts'

/** An item that this attempt may carry out. */
export interface ClaimedItem extends ItemJob {
  attempt: number
  entity: 'company' | 'person'
  groups: FieldGroup[]
  domain: string | null
  input: Record<string, unknown>
  task_type: string
  /** Ask every source, however fresh its last answer is: it was forced, or is of a kind that always looks. */
  forced: boolean
  /** Age in days at which the request calls a company stale; null where it does not say. */
  stale_days: number | null
}

/** These have no `force`: what is paid is looked up. */
const ALWAYS_FORCED: readonly TaskType[] = ['enrich_batch', 'leadership_search', 'signal_discovery']

/**
 * Begins an attempt. Attempts only rise: a worker that was paused cannot begin an older one after a newer has begun. Returns nothing
 * when the item has ended or a newer attempt has it; an attempt that was lost counts as given back.
 *
 * Everywhere the item is locked before its task, and the task before the account: no two workers wait for each other. The task is written even when
 * it runs already, so that this and a giving back of its other item see each other.
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
      returning t.task_type, t.input as request
    )
    select claimed.client_id, claimed.task_id, claimed.item, claimed.attempt, claimed.entity, claimed.groups, claimed.domain,
      claimed.input, begun.task_type,
      (begun.task_type = any(${[...ALWAYS_FORCED]}::text[]) or coalesce((begun.request ->> 'force')::boolean, false)) as forced,
      (begun.request ->> 'max_age_days')::float8 as stale_days
    from claimed cross join begun`.execute(db)
  return rows[0]
}

/** Gives an attempt back, to be tried again. A task of which nothing else is at work or done is `queued` again. */
export async function releaseItem(db: Db, item: ClaimedItem): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const key = sql`client_id = ${item.client_id} and task_id = ${item.task_id}::uuid`
    await sql`
      update task_item set state = 'queued', started_at = null
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

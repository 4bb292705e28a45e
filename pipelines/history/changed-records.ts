import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { FetchableRecord } from './fetch-record-events.ts'
import { PEOPLE_WITH_HISTORY } from './people-with-history.ts'

/** A record whose history the pull fetches. */
export interface ChangedRecord extends FetchableRecord {
  subject: string
  /** The record's watermark; null before the first pull. */
  watermark: string | null
  /** Time of the newest known change to the member or its people; null if the service does not report the time. */
  history_at: string | null
}

/**
 * Lists the live members that have changed since their last check, and their people, including people who have left
 * since then. If the service reports `history_at`, skips unchanged members that are not in `fullPulls`. Otherwise lists
 * all members.
 */
export async function listChangedRecords(
  db: Kysely<WarehouseTables>,
  fullPulls: readonly string[] = [],
): Promise<ChangedRecord[]> {
  const { rows } = await sql<ChangedRecord>`
    with moved as (
      select company.domain, company.history_at, checked.moved_at, company.domain = any(${fullPulls}::text[]) as is_full
      from warehouse.company
      left join sync.watermark checked on checked.pipeline = 'history' and checked.subject = 'checked/' || company.domain
      where company.gone_at is null
        and (company.domain = any(${fullPulls}::text[]) or company.history_at is null and not coalesce(${reportsHistory}, false) or company.history_at > coalesce(checked.value::timestamptz, '-infinity'))
    ),
    records as (
      select 'company' as entity, domain, domain as key, null as person_id, 'company/' || domain as subject, history_at from moved
      union all
      select 'person', person.company_domain, person.person_key, person.person_id, 'person/' || person.company_domain || '/' || person.person_key, moved.history_at
      from ${PEOPLE_WITH_HISTORY} join moved on moved.domain = person.company_domain
      where moved.is_full or person.gone_at is null or person.gone_at > coalesce(moved.moved_at, '-infinity')
    )
    select records.*, mark.value as watermark
    from records left join sync.watermark mark on mark.pipeline = 'history' and mark.subject = records.subject
    order by domain, entity, key
  `.execute(db)
  return rows
}

/** If the service reports `history_at` for any company, companies without it have no history. */
const reportsHistory = sql`(select bool_or(history_at is not null) from warehouse.company)`

/**
 * Stores the `history_at` up to which the history of a member and its people has been pulled. The pull started at
 * `since`.
 */
export async function saveChecked(
  db: Kysely<WarehouseTables>,
  { domain, history_at }: Pick<ChangedRecord, 'domain' | 'history_at'>,
  since: Date,
  runId: number,
): Promise<void> {
  if (history_at === null) return
  // A time in the future is not stored, because it would hide all changes until then. A time in whole seconds is
  // stored only if that second had elapsed when the pull started, because later changes within it have the same time.
  await sql`
    insert into sync.watermark as mark (pipeline, subject, value, run_id)
    select 'history', ${`checked/${domain}`}, ${history_at}, ${runId}
    where ${history_at}::timestamptz < now() + interval '1 hour'
      and (${history_at}::timestamptz <> date_trunc('second', ${history_at}::timestamptz)
        or ${history_at}::timestamptz < ${since.toISOString()}::timestamptz - interval '2 seconds')
    on conflict (pipeline, subject) do update set value = excluded.value, run_id = excluded.run_id, moved_at = now()
    where mark.value < excluded.value
  `.execute(db)
}

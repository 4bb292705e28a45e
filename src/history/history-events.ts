import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type HistoryValue = string | number | boolean | null

/** A changed field. */
export interface Change {
  entity: 'company' | 'person'
  /** The person at `domain`; null for a change to the company. */
  person_id: string | null
  email_hash: string | null
  field: string
  old_value: HistoryValue
  new_value: HistoryValue
  source: string
}

/** Newest event times of the records that the writer has locked. New events receive later times. */
export interface HeldClock {
  /** `history_at` of the company and of each address; null for a record without events. */
  history_at: readonly (string | null)[]
}

/**
 * Writes changes to one company and its people in the caller's transaction, each with a distinct time. Returns the time
 * of the last change, which the caller stores as `history_at` of each locked record; null if there are no changes.
 *
 * Readers can use `changed_at` as an exact watermark. The time is assigned while the locks are held and is later than
 * the newest event of each locked record, even if the clock has been set back. Within one record, times are in commit
 * order.
 */
export async function writeEvents(
  trx: Db,
  domain: string,
  changes: readonly Change[],
  held: HeldClock,
  taskId: string | null,
): Promise<string | null> {
  if (changes.length === 0) return null
  const known = held.history_at.filter((moment) => moment !== null)
  const { rows } = await sql<{ changed_at: string }>`
    with first as materialized (
      select greatest(clock_timestamp(), (select max(at) from unnest(${known}::timestamptz[]) as at) + interval '1 microsecond') as at
    )
    insert into history_event (domain, entity, person_id, email_hash, kind, field, old_value, new_value, changed_at, source, task_id)
    select ${domain}, entity, person_id, email_hash, ${kindSql(sql`${domain}`)}, field, old_value, new_value,
           first.at + (place - 1) * interval '1 microsecond', source, ${taskId}
    from first, rows from (
      jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as (entity text, person_id uuid, email_hash text, field text, old_value jsonb, new_value jsonb, source text)
    ) with ordinality as change (entity, person_id, email_hash, field, old_value, new_value, source, place)
    order by place
    returning changed_at`.execute(trx)
  return rows
    .map(({ changed_at }) => changed_at)
    .toSorted()
    .at(-1) as string
}

/** Writes changes to companies that the caller has locked, and advances their `history_at`. */
export async function writeCompanyEvents(trx: Db, changes: ReadonlyMap<string, readonly Change[]>): Promise<void> {
  const rows = [...changes].flatMap(([domain, list]) => list.map((change, step) => ({ ...change, domain, step })))
  if (rows.length === 0) return
  await sql`
    with change as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
        domain text, step integer, entity text, person_id uuid, field text, old_value jsonb, new_value jsonb, source text)
    ), clock as materialized (
      select domain, greatest(clock_timestamp(), history_at + interval '1 microsecond') as at
      from company where domain in (select domain from change)
    ), written as (
      insert into history_event (domain, entity, kind, field, old_value, new_value, changed_at, source)
      select change.domain, 'company', ${kindSql(sql`change.domain`)}, field, old_value, new_value,
             at + step * interval '1 microsecond', source
      from change join clock on clock.domain = change.domain
    )
    update company set history_at = at + (select max(step) from change where change.domain = clock.domain) * interval '1 microsecond'
    from clock where company.domain = clock.domain`.execute(trx)
}

/** The kind of a change. If the old value is null, the change is `created`, unless the field has earlier events. */
const kindSql = (domain: RawBuilder<unknown>) => sql`case
  when change.new_value is null then 'removed'
  when change.old_value is null and not exists (
    select from history_event earlier
    where earlier.domain = ${domain} and earlier.entity = change.entity and earlier.field = change.field
      and earlier.person_id is not distinct from change.person_id) then 'created'
  else 'updated' end`

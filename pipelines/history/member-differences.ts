import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Difference } from '../compare/difference.ts'
import type { RejectedRecord } from '../warehouse/rejected-record.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { PEOPLE_WITH_HISTORY } from './people-with-history.ts'
import type { EventRow } from './read-event.ts'
import { eventName } from './read-event.ts'

type Db = Kysely<WarehouseTables>

/**
 * Lists stored events that the service does not return even though it returns other events of the record from the same
 * period. Older events are kept, because a service may drop old history.
 */
export async function listExtraEvents(db: Db, domain: string, events: readonly EventRow[]): Promise<Difference[]> {
  const oldest = [...Map.groupBy(events, ({ entity, key }) => `${entity}/${key}`)].map(([record, of]) => ({
    record,
    since: of
      .map(({ changed_at }) => changed_at)
      .toSorted()
      .at(0),
  }))
  const { rows } = await sql<{ name: string }>`
    select name from warehouse.history_event event
    cross join concat_ws('/', entity, key, event_key) as name
    join jsonb_to_recordset(${JSON.stringify(oldest)}::jsonb) as oldest (record text, since timestamptz) on record = entity || '/' || key
    where domain = ${domain} and name <> all (${events.map(eventName)}::text[]) and changed_at >= since order by 1
  `.execute(db)
  return rows.map(({ name }) => ({ kind: 'extra', entity: 'history_event', key: domain, record: name }))
}

/** Lists a member's watermarks that are later than its latest event or change, and would therefore hide events. */
export async function listMarksAhead(db: Db, domain: string): Promise<Difference[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject from sync.watermark mark
    where pipeline = 'history' and (
      split_part(subject, '/', 1) in ('company', 'person') and split_part(subject, '/', 2) = ${domain}
        and value::timestamptz > coalesce((
          select max(changed_at) from warehouse.history_event event
          where event.domain = ${domain} and event.entity = split_part(subject, '/', 1)
            and event.key = case event.entity when 'person' then split_part(subject, '/', 3) else ${domain} end
        ), '-infinity')
      or subject = 'checked/' || ${domain}::text
        and value::timestamptz > (select history_at from warehouse.company where company.domain = ${domain})
    )
    order by 1
  `.execute(db)
  return rows.map(({ subject }) => ({ kind: 'differs', entity: 'watermark', key: domain, record: subject }))
}

/** Deletes watermarks, so that the next pull reads these histories from the beginning. */
export async function deleteMarks(trx: Db, subjects: readonly string[]): Promise<void> {
  await sql`
    delete from sync.watermark where pipeline = 'history' and subject = any(${[...subjects]}::text[])`.execute(trx)
}

/** Marks a member's rejected events as resolved. */
export async function resolveEvents(trx: Db, fingerprints: readonly string[]): Promise<void> {
  await sql`
    update warehouse.quarantine set resolved_at = now()
    where entity = 'history_event' and fingerprint = any(${[...fingerprints]}::uuid[])`.execute(trx)
}

/** Deletes the member's events with the given names (see `eventName`). */
export async function deleteEvents(trx: Db, domain: string, names: readonly string[]): Promise<void> {
  await sql`
    delete from warehouse.history_event
    where domain = ${domain} and concat_ws('/', entity, key, event_key) = any(${[...names]}::text[])`.execute(trx)
}

/** Lists a member's quarantined events that are now valid or that the service no longer returns. */
export async function listReadable(db: Db, domain: string, rejected: readonly RejectedRecord[]): Promise<Difference[]> {
  const { rows } = await sql<{ fingerprint: string }>`
    select fingerprint from warehouse.quarantine
    where entity = 'history_event' and resolved_at is null
      and fingerprint <> all (${rejected.map(({ fingerprint }) => fingerprint)}::uuid[])
      and (key = ${domain} or key in (select person_key from ${PEOPLE_WITH_HISTORY} where company_domain = ${domain}))
    order by 1
  `.execute(db)
  return rows.map(({ fingerprint }) => ({ kind: 'extra', entity: 'quarantine', key: domain, record: fingerprint }))
}

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { sum } from '../../src/lib/sum.ts'
import { lockSuppression } from '../erasures/suppression.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { MemberRecord } from './read-record.ts'

type Db = Kysely<WarehouseTables>

/**
 * Removes people whom the service no longer returns. Moves the people in `departed` to `former_person` and keeps their
 * events. Deletes all other missing people, along with their events and rejected records, because the service may have
 * erased these people on request. If a person's new record is rejected, the earlier record is kept.
 */
export async function removePersons(
  trx: Db,
  record: MemberRecord,
  departed: ReadonlySet<string>,
  runId: number,
): Promise<void> {
  const { domain } = record
  await deleteEvents(trx, domain, await deleteReturned(trx, record))
  if (record.personsIncomplete !== undefined) return
  const { rows } = await sql<{ person_key: string; is_former: boolean }>`
    with removed as (
      delete from warehouse.person where company_domain = ${domain} and person_key <> all (${presentKeys(record)}::text[])
      returning *
    ),
    former as (
      insert into warehouse.former_person (
        company_domain, person_key, person_id, email_hash, full_name, title, seniority, department, social_url, is_leader, first_seen_at, run_id)
      select company_domain, person_key, person_id, email_hash, full_name, title, seniority, department, social_url, is_leader, first_seen_at, ${runId}::bigint
      from removed where person_id = any (${[...departed]}::text[])
      returning person_key
    )
    select removed.person_key, former.person_key is not null as is_former from removed left join former using (person_key)
  `.execute(trx)
  const deleted = rows.flatMap(({ person_key, is_former }) => (is_former ? [] : [person_key]))
  await deleteEvents(trx, domain, deleted)
  await sql`
    delete from warehouse.quarantine
    where split_part(key, ' / ', 1) = ${domain} and entity in ('person', 'person_provenance') and starts_with(key, ${`${domain} / `})
      and fingerprint <> all (${record.rejected.map(({ reject }) => reject.fingerprint)}::uuid[])`.execute(trx)
}

/** The keys of the people in the record, including people whose new record is rejected. */
export const presentKeys = ({ domain, persons, rejected }: MemberRecord): string[] => [
  ...persons.map(({ person_key }) => String(person_key)),
  ...rejected.flatMap(({ entity, reject: { key } }) =>
    entity === 'person' && key !== null ? [key.slice(`${domain} / `.length)] : [],
  ),
]

/**
 * Deletes former people who are listed again. Returns the outdated keys of their events: if the address has changed,
 * the events are read again under the new key.
 */
async function deleteReturned(trx: Db, { domain, persons }: MemberRecord): Promise<string[]> {
  const keys = persons.map(({ person_key }) => String(person_key))
  const ids = persons.flatMap(({ person_id }) => (typeof person_id === 'string' ? [person_id] : []))
  const { rows } = await sql<{ person_key: string }>`
    delete from warehouse.former_person
    where company_domain = ${domain} and (person_key = any (${keys}::text[]) or person_id = any (${ids}::text[]))
    returning person_key`.execute(trx)
  return rows.map(({ person_key }) => person_key).filter((key) => !keys.includes(key))
}

/** Deletes the given people's events at a member, including rejected events, and their watermarks. */
async function deleteEvents(trx: Db, domain: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  // The events are deleted in a separate statement, because the deletion of the people may have waited for a
  // transaction that wrote events.
  await sql`
    delete from warehouse.history_event
    where domain = ${domain} and entity = 'person' and key = any (${keys}::text[])`.execute(trx)
  // If the person returns, their history is read from the beginning.
  await sql`
    delete from sync.watermark
    where pipeline = 'history' and subject = any (${keys.map((key) => `person/${domain}/${key}`)}::text[])`.execute(trx)
  await sql`
    delete from warehouse.quarantine
    where entity = 'history_event' and split_part(key, ' / ', 1) = any (${keys}::text[]) and key = any (${keys}::text[])`.execute(
    trx,
  )
}

/**
 * Deletes former people and their events `days` days after the people were found missing. Locks the people's members,
 * so that no events about these people are written in the meantime. Returns the number of people.
 */
export async function deleteExpired(db: Db, now: Date, days: number): Promise<number> {
  const before = new Date(now.getTime() - days * 86_400_000).toISOString()
  return await db.transaction().execute(async (trx) => {
    await lockSuppression(trx)
    await sql`
      select from warehouse.tal_member
      where domain in (select company_domain from warehouse.former_person where gone_at < ${before})
      order by domain for update`.execute(trx)
    const { rows } = await sql<{ domain: string; keys: string[] }>`
      with expired as (delete from warehouse.former_person where gone_at < ${before} returning company_domain, person_key)
      select company_domain as domain, array_agg(person_key) as keys from expired group by 1 order by 1`.execute(trx)
    for (const { domain, keys } of rows) await deleteEvents(trx, domain, keys)
    return sum(rows.map(({ keys }) => keys.length))
  })
}

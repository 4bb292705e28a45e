import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { lockSuppression } from '../erasures/suppression.ts'
import type { Missing } from '../warehouse/gone-share.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'

type Db = Kysely<WarehouseTables>

/** Counts live members, and live members that are no longer on the list. */
export async function countMissing(db: Db, present: readonly string[]): Promise<Missing> {
  const { rows } = await sql<Missing>`
    select count(*)::integer as live, count(*) filter (where present.domain is null)::integer as missing
    from warehouse.tal_member member
    left join (select distinct domain collate "C" as domain from unnest(${present}::text[]) as domain) present using (domain)
    where member.gone_at is null
  `.execute(db)
  return rows[0] as Missing
}

/**
 * Marks members that are not `present`, and their companies, as gone. Erases their current and former people, along
 * with these people's events and rejected records, because this personal data would no longer be updated.
 */
export async function markGone(db: Db, present: readonly string[], runId: number): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await lockSuppression(trx)
    const { rows } = await sql<{ domain: string }>`
      select domain from warehouse.tal_member where gone_at is null and domain <> all (${present}::text[])
      order by domain for update`.execute(trx)
    const gone = rows.map(({ domain }) => domain)
    await sql`
      with members as (
        update warehouse.tal_member set gone_at = now(), last_changed_at = now(), run_id = ${runId}
        where domain = any (${gone}::text[])
      ),
      companies as (
        update warehouse.company set gone_at = now(), last_changed_at = now(), run_id = ${runId}
        where gone_at is null and domain = any (${gone}::text[])
      ),
      persons as (
        delete from warehouse.person where company_domain = any (${gone}::text[]) returning company_domain, person_key
      ),
      sources as (
        delete from warehouse.person_provenance where company_domain = any (${gone}::text[])
      ),
      former as (
        delete from warehouse.former_person where company_domain = any (${gone}::text[]) returning company_domain, person_key
      ),
      -- If the member returns, its history is read from the beginning.
      marks as (
        delete from sync.watermark
        where pipeline = 'history' and subject in (
          select 'person/' || company_domain || '/' || person_key from (table persons union all table former) people
          union all select kind || domain from unnest(${gone}::text[]) as domain, unnest(array['checked/', 'whole/', 'company/']) as kind
        )
      ),
      events as (
        delete from warehouse.history_event where entity = 'person' and domain = any (${gone}::text[])
      ),
      raw as (
        delete from sync.raw_record where domain = any (${gone}::text[])
      ),
      rejected as (
        delete from warehouse.quarantine
        where entity in ('person', 'person_provenance') and split_part(key, ' / ', 1) = any (${gone}::text[])
          or entity = 'history_event' and split_part(key, ' / ', 1) in (select person_key from persons union all select person_key from former)
      )
      delete from sync.member_state where domain = any (${gone}::text[])`.execute(trx)
    return gone.length
  })
}

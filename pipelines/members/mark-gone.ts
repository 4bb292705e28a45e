import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { lockSuppression } from '../erasures/suppression.ts'
import type { Missing } from '../warehouse/gone-share.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { ListPull } from './list-pulls.ts'
import { lockPull } from './list-pulls.ts'

type Db = Kysely<WarehouseTables>

/** Counts live members, and live members that the pull's last attempt did not receive. */
export async function countMissing(db: Db, pull: ListPull): Promise<Missing> {
  return await db.transaction().execute(async (trx) => {
    await lockPull(trx, pull)
    const { rows } = await sql<Missing>`
      select count(*)::integer as live, count(*) filter (where not ${isReceived(pull)})::integer as missing
      from warehouse.tal_member member where gone_at is null`.execute(trx)
    return rows[0] as Missing
  })
}

const isReceived = ({ pipeline, attempt }: ListPull) => sql`exists (
  select from sync.list_entry entry
  where entry.pipeline = ${pipeline} and entry.domain = member.domain and entry.attempt = ${attempt})`

/** Maximum number of members per transaction. */
const BATCH = 1000

/** Marks the live members that the pull's last attempt did not receive as gone. Returns their number. */
export async function markMissing(db: Db, pull: ListPull): Promise<number> {
  for (let gone = 0; ; ) {
    const marked = await db.transaction().execute(async (trx) => {
      await lockSuppression(trx)
      // The entries exist as long as the pull does, so no member is missing because its entry was deleted.
      await lockPull(trx, pull)
      const { rows } = await sql<{ domain: string }>`
        select domain from warehouse.tal_member member where gone_at is null and not ${isReceived(pull)}
        order by domain limit ${BATCH} for update`.execute(trx)
      return await mark(trx, domainsOf(rows), pull.runId)
    })
    gone += marked
    if (marked < BATCH) return gone
  }
}

/** Marks these members as gone, if they are live. Returns their number. */
export async function markGone(db: Db, domains: readonly string[], runId: number): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await lockSuppression(trx)
    const { rows } = await sql<{ domain: string }>`
      select domain from warehouse.tal_member where gone_at is null and domain = any (${[...domains]}::text[])
      order by domain for update`.execute(trx)
    return await mark(trx, domainsOf(rows), runId)
  })
}

const domainsOf = (rows: readonly { domain: string }[]): string[] => rows.map(({ domain }) => domain)

/**
 * Marks members and their companies as gone. Erases their current and former people, along with these people's events
 * and rejected records, because this personal data would no longer be updated.
 */
async function mark(trx: Db, gone: string[], runId: number): Promise<number> {
  if (gone.length === 0) return 0
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
}

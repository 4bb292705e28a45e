import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { sum } from '../../src/lib/sum.ts'
import { quarantine } from '../warehouse/quarantine.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { MemberRecord } from './read-record.ts'
import { COMPANY, PERSON, SIGNAL } from './row-shape.ts'
import type { Written } from './write-rows.ts'
import { writeRows } from './write-rows.ts'

/** Writes a member's record and its fingerprint in one transaction, so an interrupted record is fetched again. */
export async function writeRecord(
  db: Kysely<WarehouseTables>,
  record: MemberRecord,
  fingerprint: string | null,
  runId: number,
): Promise<Written & { quarantined: number }> {
  return await db.transaction().execute(async (trx) => {
    const written = [
      await writeRows(trx, COMPANY, record.company ? [record.company] : [], runId),
      await writeRows(trx, PERSON, record.persons, runId),
      await writeRows(trx, SIGNAL, record.signals, runId),
    ]
    await setPendingSince(trx, record)
    await erasePersons(trx, record)
    await quarantine(trx, record.rejected, runId)
    await saveMemberState(trx, [{ domain: record.domain, fingerprint }], runId)
    return {
      inserted: sum(written.map(({ inserted }) => inserted)),
      updated: sum(written.map(({ updated }) => updated)),
      unchanged: sum(written.map(({ unchanged }) => unchanged)),
      quarantined: record.rejected.length,
    }
  })
}

/** Sets or clears the time since when the service has shown the company as pending. */
async function setPendingSince(trx: Kysely<WarehouseTables>, { domain, company }: MemberRecord): Promise<void> {
  if (!company) return
  const isPending = company['enrichment_status'] === 'pending'
  await trx
    .updateTable('warehouse.company')
    .set({ pending_since: isPending ? sql`now()` : null })
    .where('domain', '=', domain)
    .where('pending_since', isPending ? 'is' : 'is not', null)
    .execute()
}

/** Stores the fingerprints of written records, in the same transaction. */
export async function saveMemberState(
  trx: Kysely<WarehouseTables>,
  members: readonly { domain: string; fingerprint: string | null }[],
  runId: number,
): Promise<void> {
  if (members.length === 0) return
  await sql`
    insert into sync.member_state as state (domain, fingerprint, run_id)
    select domain, fingerprint, ${runId}::bigint
    from unnest(${members.map(({ domain }) => domain)}::text[], ${members.map(({ fingerprint }) => fingerprint)}::text[]) as member (domain, fingerprint)
    on conflict (domain) do update set fingerprint = excluded.fingerprint, fetched_at = now(), run_id = excluded.run_id
    where state.fingerprint is distinct from excluded.fingerprint or state.fetched_at < now() - interval '1 day'
  `.execute(trx)
}

/** Erases people whom the service no longer returns, with their events: the service may have been asked to erase them. */
async function erasePersons(
  trx: Kysely<WarehouseTables>,
  { domain, persons, rejected, allPersons }: MemberRecord,
): Promise<void> {
  // A missing person may be among the rejected or unsent records.
  if (!allPersons || rejected.some(({ entity }) => entity === 'person')) return
  const present = persons.map(({ person_key }) => String(person_key))
  await sql`
    with erased as (
      delete from warehouse.person where company_domain = ${domain} and person_key <> all (${present}::text[]) returning email_hash
    ),
    -- A person who returns is read from the beginning.
    marks as (
      delete from sync.watermark
      where pipeline = 'history' and subject in (select 'person/' || ${domain}::text || '/' || email_hash from erased)
    )
    delete from warehouse.history_event
    where domain = ${domain} and entity = 'person' and key in (select email_hash from erased)
  `.execute(trx)
}

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { sum } from '../../src/lib/sum.ts'
import { lockSuppression } from '../erasures/suppression.ts'
import { quarantine, resolveRejected } from '../warehouse/quarantine.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { RawMember } from './raw-member.ts'
import { saveRawMembers } from './raw-member.ts'
import type { MemberRecord } from './read-record.ts'
import { removePersons } from './remove-persons.ts'
import { COMPANY, PERSON, SIGNAL } from './row-shape.ts'
import { withoutSuppressed } from './without-suppressed.ts'
import { writeProvenance } from './write-provenance.ts'
import type { Written } from './write-rows.ts'
import { writeRows } from './write-rows.ts'

type WrittenRecord = Written & { quarantined: number }

/** Details of the fetch of a member's record. */
export interface Fetch {
  /** The member's fingerprint from the list. */
  fingerprint: string | null
  /** The records as received; undefined if they are not kept. */
  raw: RawMember | undefined
  /** Ids of missing people who left the company, see `listDeparted`. */
  departed: ReadonlySet<string>
  runId: number
}

/**
 * Writes a member's record and its fingerprint in one transaction, so that the record is fetched again after an
 * interruption. Omits people who were erased after the fetch. Does not write a member that has left the list.
 */
export async function writeRecord(
  db: Kysely<WarehouseTables>,
  fetched: MemberRecord,
  { fingerprint, raw, departed, runId }: Fetch,
): Promise<WrittenRecord> {
  return await inTransaction(db, fetched, async (trx, record) => {
    // If a suppressed person was removed from the record, the records as received may name that person.
    await saveRawMembers(trx, [{ domain: record.domain, raw: record === fetched ? raw : undefined }], runId)
    // A record without some of its people is fetched again by every run, which stays degraded until they arrive.
    const known = record.personsIncomplete === undefined ? fingerprint : null
    await saveMemberState(trx, [{ domain: record.domain, fingerprint: known }], runId)
    return await writeTables(trx, record, runId, departed)
  })
}

/** Writes a record that was translated again. Does nothing if `isCurrent` returns false within the transaction. */
export async function rewriteRecord(
  db: Kysely<WarehouseTables>,
  translated: MemberRecord,
  isCurrent: (trx: Kysely<WarehouseTables>) => Promise<boolean>,
  runId: number,
): Promise<WrittenRecord> {
  return await inTransaction(db, translated, async (trx, record) =>
    (await isCurrent(trx)) ? await writeTables(trx, record, runId) : NOT_WRITTEN,
  )
}

const NOT_WRITTEN: WrittenRecord = { inserted: 0, updated: 0, unchanged: 0, quarantined: 0 }

/**
 * Locks the member and passes the record without suppressed people to `write`. Skips a member that has left the list.
 */
async function inTransaction(
  db: Kysely<WarehouseTables>,
  given: MemberRecord,
  write: (trx: Kysely<WarehouseTables>, record: MemberRecord) => Promise<WrittenRecord>,
): Promise<WrittenRecord> {
  return await db.transaction().execute(async (trx) => {
    const suppression = await lockSuppression(trx)
    if (!(await isMember(trx, given.domain))) return NOT_WRITTEN
    return await write(trx, suppression ? await withoutSuppressed(given, suppression) : given)
  })
}

/** Writes a record's rows, and removes people and news that it no longer has. */
export async function writeTables(
  trx: Kysely<WarehouseTables>,
  record: MemberRecord,
  runId: number,
  departed: ReadonlySet<string> = new Set(),
): Promise<WrittenRecord> {
  const written = [
    await writeRows(trx, COMPANY, record.company ? [record.company] : [], runId),
    await writeRows(trx, PERSON, record.persons, runId),
    await writeRows(trx, SIGNAL, record.signals, runId),
  ]
  await setPendingSince(trx, record)
  await removePersons(trx, record, departed, runId)
  await writeProvenance(trx, record, runId)
  await eraseSignals(trx, record)
  await quarantine(trx, record.rejected, runId)
  const complete = ['company', 'signal', 'company_provenance', 'person_provenance']
  await resolveRejected(
    trx,
    record.personsIncomplete === undefined ? [...complete, 'person'] : complete,
    [record.domain],
    runId,
  )
  return {
    inserted: sum(written.map(({ inserted }) => inserted)),
    updated: sum(written.map(({ updated }) => updated)),
    unchanged: sum(written.map(({ unchanged }) => unchanged)),
    quarantined: record.rejected.length,
  }
}

/** Sets `pending_since` when the service first reports the company as pending, and clears it afterwards. */
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

/** Stores the fingerprints of records that are written in the same transaction. */
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

/** Locks the member, so that a concurrent erasure of its people is not undone. Returns false if it is not live. */
async function isMember(trx: Kysely<WarehouseTables>, domain: string): Promise<boolean> {
  const { rows } = await sql`
    select from warehouse.tal_member where domain = ${domain} and gone_at is null for update`.execute(trx)
  return rows.length > 0
}

/**
 * Deletes stories that the service no longer returns, such as a headline that names an erased person. Keeps stories
 * older than all returned ones, because the service may limit their number.
 */
async function eraseSignals(
  trx: Kysely<WarehouseTables>,
  { domain, signals, rejected, oldestSignal }: MemberRecord,
): Promise<void> {
  if (oldestSignal === undefined) return
  // A rejected story may be a new version of a stored one, so no story is deleted.
  if (rejected.some(({ entity }) => entity === 'signal')) return
  await sql`
    delete from warehouse.signal
    where company_domain = ${domain} and signal_key <> all (${signals.map(({ signal_key }) => String(signal_key))}::text[])
      and (${oldestSignal}::date is null or published_on >= ${oldestSignal}::date)`.execute(trx)
}

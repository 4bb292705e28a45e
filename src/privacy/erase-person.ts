import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import { hashEmail } from '../persons/email-hash.ts'
import { lockAddresses } from '../persons/person-addresses.ts'
import { openSuppressionList } from '../persons/suppression-list.ts'
import { countRecords } from '../stats/record-counts.ts'
import { eraseFromTasks } from '../tasks/erase-from-tasks.ts'

/** Counts of erased rows, zero for an unknown person. The person is suppressed in either case. */
export interface ErasureReport {
  email_hash: string | null
  persons: number
  events: number
  signals: number
  tasks: number
}

const HASH = /^[0-9a-f]{16}([0-9a-f]{48})?$/

/**
 * Erases a person given by address, by its hash (16 or 64 hex digits), or by `person_id`: records at every company with provenance and
 * history, news whose headline names them, and personal data in tasks. Adds keyed hashes to the suppression list, so
 * that the person is never stored again. Throws `invalid_request` for other input.
 */
export async function erasePerson(db: Db, identifier: string, actor: Actor): Promise<ErasureReport> {
  const given = identifier.trim().toLowerCase()
  const who = await targetOf(db, given)
  const texts = given.includes('@') ? [given] : []
  for (;;) {
    const report = await db.transaction().execute(async (trx) => {
      const erased = await erase(trx, who, texts)
      if (erased) await recordErasure(trx, actor, who, erased)
      return erased
    })
    // Another company stored the person before the address was locked: retry with that company included.
    if (report) return report
  }
}

/** The audit log names the person by the keyed hash of the suppression list only. */
async function recordErasure(trx: Db, actor: Actor, who: Target, report: ErasureReport): Promise<void> {
  const { email_hash: _, ...details } = report
  const target = who.emailHash === null ? who.personId : (await openSuppressionList(trx)).ofHash(who.emailHash)
  await recordAudit(trx, actor, { action: 'person.erase', target, details })
}

/** All records with an address, or, if the address is unknown, one record. */
type Target = { emailHash: string; personId: null } | { emailHash: null; personId: string }

const isTarget = ({ emailHash, personId }: Target) =>
  sql<boolean>`(email_hash = ${emailHash} or person_id = ${personId}::uuid)`

async function targetOf(db: Db, given: string): Promise<Target> {
  if (HASH.test(given)) return { emailHash: given.slice(0, 16), personId: null }
  if (/^[^\s@]+@[^\s@]+$/.test(given)) return { emailHash: hashEmail(given).hash, personId: null }
  if (!isUuid(given))
    throw new AppError(
      'invalid_request',
      'Send an email address, the first 16 hex digits of its SHA-256, or a person_id.',
    )
  const row = await db.selectFrom('person').select('email_hash').where('person_id', '=', given).executeTakeFirst()
  if (!row) throw new AppError('not_found', 'No person has this person_id.')
  return row.email_hash === null ? { emailHash: null, personId: given } : { emailHash: row.email_hash, personId: null }
}

/** Undefined, with nothing changed, when a company outside the locked ones has the person by now. */
async function erase(trx: Db, who: Target, given: readonly string[]): Promise<ErasureReport | undefined> {
  const { emailHash } = who
  const domains = await companiesNaming(trx, who)
  await sql`select from company where domain = any(${domains}::text[]) order by domain for update`.execute(trx)
  await lockAddresses(trx, emailHash === null ? [] : [emailHash])
  if ((await companiesNaming(trx, who)).some((domain) => !domains.includes(domain))) return undefined

  const people = await trx
    .selectFrom('person')
    .select(['company_domain', 'person_id', 'full_name', 'email', 'social_url', 'enriched_at', 'in_formadv'])
    .where(isTarget(who))
    .execute()
  const ids = people.map(({ person_id }) => person_id)
  const observations = await trx
    .selectFrom('person_observation')
    .select(['company_domain', sql<ObservedFields>`fields`.as('fields')])
    .where('company_domain', 'in', [...domains, ''])
    .where('person_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const marks = [
    ...people,
    ...observations.map(({ company_domain, fields: { full_name, email = null, social_url = null } }) => ({
      company_domain,
      full_name,
      email,
      social_url,
    })),
  ]
  await suppress(trx, emailHash, marks)

  const names = [...new Set(marks.map(({ full_name }) => full_name.toLowerCase()))]
  const events = await eraseRecords(trx, emailHash, domains, ids)
  const signals = await eraseHeadlines(trx, domains, names)
  await markUpdated(trx, domains)
  await countRecords(trx, 'person', {
    total: -people.length,
    enriched: -people.filter(({ enriched_at }) => enriched_at !== null).length,
    from_formadv: -people.filter(({ in_formadv }) => in_formadv).length,
  })
  const known = marks.flatMap(({ email, social_url }) => [email, social_url]).filter((text) => text !== null)
  const texts = new Set([...given, ...names, ...known.map((text) => text.toLowerCase())])
  const tasks = await eraseFromTasks(trx, { texts, emailHash })
  return { email_hash: emailHash, persons: people.length, events, signals, tasks }
}

interface ObservedFields {
  full_name: string
  email?: string
  social_url?: string
}

async function companiesNaming(trx: Db, who: Target): Promise<string[]> {
  const rows = await trx
    .selectFrom('person')
    .select('company_domain')
    .distinct()
    .where(isTarget(who))
    .orderBy('company_domain')
    .execute()
  return rows.map(({ company_domain }) => company_domain)
}

async function suppress(
  trx: Db,
  emailHash: string | null,
  marks: readonly { company_domain: string; full_name: string; email: string | null; social_url: string | null }[],
): Promise<void> {
  const suppressionList = await openSuppressionList(trx)
  const macs = new Set([
    ...(emailHash === null ? [] : [suppressionList.ofHash(emailHash)]),
    ...marks.flatMap((mark) => suppressionList.of(mark)),
  ])
  await trx
    .insertInto('suppressed_person')
    .values([...macs].sort().map((mac) => ({ mac })))
    .onConflict((conflict) => conflict.column('mac').doNothing())
    .execute()
}

/** Deletes records, provenance, history and unused addresses. Returns the number of events. */
async function eraseRecords(
  trx: Db,
  emailHash: string | null,
  domains: readonly string[],
  ids: readonly string[],
): Promise<number> {
  await sql`delete from person_observation where company_domain = any(${domains}::text[]) and person_id = any(${ids}::uuid[])`.execute(
    trx,
  )
  await sql`delete from person where company_domain = any(${domains}::text[]) and person_id = any(${ids}::uuid[])`.execute(
    trx,
  )
  const { rows } = await sql<{ email_hash: string | null }>`
    delete from history_event
    where (domain = any(${domains}::text[]) and person_id = any(${ids}::uuid[])) or email_hash = ${emailHash}
    returning email_hash`.execute(trx)
  const hashes = [...(emailHash === null ? [] : [emailHash]), ...rows.flatMap(({ email_hash }) => email_hash ?? [])]
  await sql`
    delete from person_email
    where email_hash = any(${hashes}::text[])
      and not exists (select from person where person.email_hash = person_email.email_hash)`.execute(trx)
  return rows.length
}

/** Touches the companies so that copies of the records are refreshed: erased records have no event. */
async function markUpdated(trx: Db, domains: readonly string[]): Promise<void> {
  await sql`update company set updated_at = clock_timestamp() where domain = any(${domains}::text[])`.execute(trx)
}

async function eraseHeadlines(trx: Db, domains: readonly string[], names: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from signal
    where domain = any(${domains}::text[])
      and exists (select from unnest(${names}::text[]) as name where strpos(lower(headline || ' ' || about), name) > 0)`.execute(
    trx,
  )
  return Number(numAffectedRows)
}

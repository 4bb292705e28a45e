import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { PersonMarks } from '../personal-data/macs.ts'
import { nameKey } from '../personal-data/name-key.ts'
import type { Subject } from '../personal-data/subject.ts'
import { addMarks, createSubject } from '../personal-data/subject.ts'
import { areDifferentPeople } from '../persons/match-people.ts'
import type { PersonDescription } from './person-description.ts'

interface StoredPerson {
  company_domain: string
  person_id: string
  full_name: string
  email: string | null
  email_hash: string | null
  social_url: string | null
  profile_key: string | null
  enriched_at: string | null
  in_formadv: boolean
}

export interface FoundSubject {
  subject: Subject
  /** All records about the person. */
  people: StoredPerson[]
}

/**
 * Finds all records of a person, starting from the description. Follows records with the same address or profile, and
 * records with the same name at the same company, such as a record left after an address change. People with different
 * names who share a mailbox or profile are not combined, unless the description is that mailbox or profile. Throws
 * `not_found` for an unknown `person_id`.
 */
export async function findSubject(db: Db, description: PersonDescription): Promise<FoundSubject> {
  const marks = { ...description, company_domain: description.company_domain ?? null }
  const given = createSubject()
  addMarks(given, marks)
  const subject = createSubject()
  addMarks(subject, marks)
  const people = new Map<string, StoredPerson>()
  for (;;) {
    const rows = await readMatching(db, subject)
    const added = rows.filter(
      (row) => !people.has(row.person_id) && (isLinked(given, row) || [...people.values()].some(isSamePersonAs(row))),
    )
    if (added.length === 0) {
      if (description.person_id !== undefined && people.size === 0)
        throw new AppError('not_found', 'No person has this person_id.')
      leaveToOthers(
        subject,
        given,
        rows.filter(({ person_id }) => !people.has(person_id)),
      )
      return { subject, people: [...people.values()] }
    }
    for (const person of added) {
      people.set(person.person_id, person)
      addMarks(subject, person)
    }
    for (const seen of await readObserved(db, added)) addMarks(subject, seen)
  }
}

/** Reports whether the description matches the record directly. */
function isLinked(
  given: Subject,
  { company_domain, person_id, full_name, email_hash, profile_key }: StoredPerson,
): boolean {
  return (
    given.personIds.has(person_id) ||
    (email_hash !== null && given.emailHashes.has(email_hash)) ||
    (profile_key !== null && given.profileKeys.has(profile_key)) ||
    [...(given.names.get(company_domain) ?? [])].some((name) => nameKey(name) === nameKey(full_name))
  )
}

const isSamePersonAs =
  (row: StoredPerson) =>
  (known: StoredPerson): boolean =>
    (row.company_domain === known.company_domain && nameKey(row.full_name) === nameKey(known.full_name)) ||
    (((row.email_hash !== null && row.email_hash === known.email_hash) ||
      (row.profile_key !== null && row.profile_key === known.profile_key)) &&
      !areDifferentPeople(row, known))

/** Removes mailboxes and profiles that other people share, because they do not identify the person. */
function leaveToOthers(subject: Subject, given: Subject, others: readonly StoredPerson[]): void {
  for (const { email, email_hash, profile_key } of others) {
    if (email_hash !== null && !given.emailHashes.has(email_hash)) {
      subject.emailHashes.delete(email_hash)
      subject.addresses.delete(email ?? '')
    }
    if (profile_key !== null && !given.profileKeys.has(profile_key)) subject.profileKeys.delete(profile_key)
  }
}

async function readMatching(db: Db, { personIds, emailHashes, profileKeys, names }: Subject): Promise<StoredPerson[]> {
  const named = [...names].flatMap(([domain, spellings]) =>
    [...spellings].map((name) => [domain, nameKey(name)] as const),
  )
  const { rows } = await sql<StoredPerson>`
    select company_domain, person_id, full_name, email, email_hash, social_url, profile_key, enriched_at, in_formadv
    from person
    where person_id = any(${[...personIds]}::uuid[]) or email_hash = any(${[...emailHashes]}::text[])
      or profile_key = any(${[...profileKeys]}::text[])
      or (company_domain, name_key) in (
        select * from unnest(${named.map(([domain]) => domain)}::text[], ${named.map(([, key]) => key)}::text[]))
    order by company_domain, person_id`.execute(db)
  return rows
}

/** Adds other spellings, addresses and profiles found in individual sources and in the history. */
async function readObserved(db: Db, people: readonly StoredPerson[]): Promise<PersonMarks[]> {
  const domains = people.map(({ company_domain }) => company_domain)
  const ids = people.map(({ person_id }) => person_id)
  const { rows } = await sql<PersonMarks>`
    select company_domain, null as email_hash, fields ->> 'full_name' as full_name, fields ->> 'email' as email,
      fields ->> 'social_url' as social_url
    from person_observation
    where company_domain = any(${domains}::text[]) and person_id = any(${ids}::uuid[])
    union
    select domain, email_hash, case field when 'full_name' then value end, case field when 'email' then value end,
      case field when 'social_url' then value end
    from history_event, lateral (values (old_value #>> '{}'), (new_value #>> '{}')) as given (value)
    where domain = any(${domains}::text[]) and person_id = any(${ids}::uuid[])`.execute(db)
  return rows
}

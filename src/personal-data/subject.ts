import { hashEmail } from './email-hash.ts'
import type { PersonMarks } from './macs.ts'
import { profileKey } from './profile-key.ts'

/** A data subject: all known identifiers of one person in plain text. Held only in memory. */
export interface Subject {
  emailHashes: Set<string>
  /** Email addresses in lower case. */
  addresses: Set<string>
  personIds: Set<string>
  profileKeys: Set<string>
  /** Spellings of the person's name, keyed by the domain of the company where they were found. */
  names: Map<string, Set<string>>
}

export const createSubject = (): Subject => ({
  emailHashes: new Set(),
  addresses: new Set(),
  personIds: new Set(),
  profileKeys: new Set(),
  names: new Map(),
})

/** Adds the identifiers from another record of the person. */
export function addMarks(subject: Subject, marks: PersonMarks): void {
  const { company_domain, person_id, email_hash, full_name, email, social_url } = marks
  if (person_id) subject.personIds.add(person_id)
  if (email_hash) subject.emailHashes.add(email_hash)
  if (email) {
    const address = hashEmail(email)
    subject.addresses.add(address.email)
    subject.emailHashes.add(address.hash)
  }
  if (social_url) subject.profileKeys.add(profileKey(social_url))
  if (full_name && company_domain) {
    const known = subject.names.get(company_domain) ?? new Set()
    subject.names.set(company_domain, known.add(full_name))
  }
}

export const isEmptySubject = ({ emailHashes, personIds, profileKeys, names }: Subject): boolean =>
  emailHashes.size + personIds.size + profileKeys.size + names.size === 0

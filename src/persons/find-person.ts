import type { Db } from '../db/database.ts'
import { hashEmail } from '../personal-data/email-hash.ts'
import { nameKey, sameName } from '../personal-data/name-key.ts'
import { profileKey } from '../personal-data/profile-key.ts'
import type { PersonRow } from './person-rows.ts'

/**
 * Identifiers of a person. At least one of these is required: `email`, `social_url`, or `full_name` together with
 * `company_domain`.
 */
export interface PersonIdentifiers {
  email?: string | undefined
  social_url?: string | undefined
  full_name?: string | undefined
  company_domain?: string | undefined
}

/**
 * Finds a stored person by address, then by profile, and finally by name at a company. If several people at the company
 * have the same name, returns undefined. Current employees are preferred over former employees.
 */
export async function findPerson(db: Db, identifiers: PersonIdentifiers): Promise<PersonRow | undefined> {
  const { email, social_url, full_name, company_domain } = identifiers
  const people = db
    .selectFrom('person')
    .selectAll()
    .orderBy('left_at', (order) => order.desc().nullsFirst())
  if (email !== undefined) {
    const { hash, digest } = hashEmail(email)
    const row = await people.where('email_hash', '=', hash).where('email_digest', '=', digest).executeTakeFirst()
    if (row) return row as PersonRow
  }
  if (social_url !== undefined) {
    const row = await people.where('profile_key', '=', profileKey(social_url)).executeTakeFirst()
    if (row) return row as PersonRow
  }
  if (full_name !== undefined && company_domain !== undefined) {
    const rows = await people
      .where('company_domain', '=', company_domain)
      .where('name_key', '=', nameKey(full_name))
      .execute()
    const same = rows.filter((row) => sameName(row.full_name, full_name))
    const present = same.filter(({ left_at }) => left_at === null)
    const candidates = present.length > 0 ? present : same
    return candidates.length === 1 ? (candidates[0] as PersonRow) : undefined
  }
  return undefined
}

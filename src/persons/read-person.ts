import type { Person, PersonGroup } from '../contract/persons.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import { readPersonGroups } from './person-groups.ts'
import { readProvenanceOf } from './person-provenance.ts'
import type { PersonRecord } from './person-records.ts'
import { personRecords, toPerson } from './person-records.ts'

/**
 * Finds a person by `person_id`, or by the first 16 or all 64 hex digits of the email address's SHA-256. If the address
 * is stored for several companies, prefers the company that has the address's domain, then current records over
 * departed ones, then the record that was seen most recently. Throws `not_found` if there is no such person, and
 * `conflict` if two addresses have the same 16 digits.
 */
export async function findPersonRecord(db: Db, identifier: string): Promise<PersonRecord> {
  const id = identifier.toLowerCase()
  if (isUuid(id)) return await findById(db, id)
  const records = await personRecords(db)
    .where('person.email_hash', '=', id.slice(0, 16))
    .$if(id.length === 64, (query) => query.where('person.email_digest', '=', id))
    .execute()
  if (new Set(records.map(({ email_digest }) => email_digest)).size > 1)
    throw new AppError(
      'conflict',
      `Two addresses have the same hash ${id}. Send all 64 hex digits of the SHA-256 instead.`,
    )
  const [best] = records.toSorted(
    (a, b) =>
      Number(atOwnDomain(b)) - Number(atOwnDomain(a)) ||
      Number(b.left_at === null) - Number(a.left_at === null) ||
      b.last_seen_at.localeCompare(a.last_seen_at) ||
      a.company_domain.localeCompare(b.company_domain),
  )
  if (!best)
    throw new AppError(
      'not_found',
      'Person not found. The hash is the first 16 hex digits of the SHA-256 of the lower-case email address.',
    )
  return best
}

async function findById(db: Db, personId: string): Promise<PersonRecord> {
  const record = await personRecords(db).where('person.person_id', '=', personId).executeTakeFirst()
  if (!record) throw new AppError('not_found', 'Person not found: unknown person_id.')
  return record
}

const atOwnDomain = ({ email, company_domain }: PersonRecord): boolean => {
  const host = email?.slice(email.lastIndexOf('@') + 1)
  return host === company_domain || host?.endsWith(`.${company_domain}`) === true
}

/** Reads a person with the requested groups. Throws the same errors as `findPersonRecord`. */
export async function readPerson(
  db: Db,
  identifier: string,
  { groups, provenance = false }: { groups: ReadonlySet<PersonGroup>; provenance?: boolean },
): Promise<Person> {
  const record = await findPersonRecord(db, identifier)
  const [[added], evidence] = await Promise.all([
    readPersonGroups(db, [record], groups),
    provenance ? readProvenanceOf(db, record.company_domain, [record.person_id]) : undefined,
  ])
  return { ...toPerson(record), ...added, ...(evidence && { provenance: evidence.get(record.person_id) ?? {} }) }
}

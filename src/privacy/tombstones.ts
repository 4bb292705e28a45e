import { createHmac } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { hashEmail } from '../persons/email-hash.ts'
import { nameKey } from '../persons/name-key.ts'
import { profileKey } from '../persons/profile-key.ts'

/** What a person can be recognised by, at one company. */
export interface PersonMarks {
  company_domain: string
  full_name: string | null
  email: string | null
  social_url: string | null
}

/** Turns what a person is recognised by into tombstones. */
export interface Tombstones {
  ofHash(emailHash: string): string
  of(person: PersonMarks): string[]
}

/** Tombstones under this database's own secret. */
export async function openTombstones(db: Db): Promise<Tombstones> {
  const { key } = await db.selectFrom('privacy_key').select('key').executeTakeFirstOrThrow()
  const mac = (kind: string, ...parts: string[]): string =>
    createHmac('sha256', key)
      .update([kind, ...parts].join('\n'))
      .digest('hex')
  const ofHash = (emailHash: string): string => mac('address', emailHash)
  return {
    ofHash,
    of: ({ company_domain, full_name, email, social_url }) => [
      ...(email ? [ofHash(hashEmail(email).hash)] : []),
      ...(full_name ? [mac('name', company_domain, nameKey(full_name))] : []),
      ...(social_url ? [mac('profile', profileKey(social_url))] : []),
    ],
  }
}

/** Leaves out whoever asked to be forgotten. The one gate: every path that stores people passes it, with the company and the addresses locked. */
export async function withoutForgotten<Person extends Omit<PersonMarks, 'company_domain'>>(
  trx: Db,
  domain: string,
  people: readonly Person[],
): Promise<Person[]> {
  if (people.length === 0) return []
  const tombstones = await openTombstones(trx)
  const marks = people.map((person) => tombstones.of({ ...person, company_domain: domain }))
  const rows = await trx.selectFrom('person_tombstone').select('mac').where('mac', 'in', marks.flat()).execute()
  const buried = new Set(rows.map(({ mac }) => mac))
  return people.filter((_, place) => !(marks[place] as string[]).some((mac) => buried.has(mac)))
}

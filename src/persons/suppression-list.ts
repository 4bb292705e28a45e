import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { hashEmail } from './email-hash.ts'
import { nameKey } from './name-key.ts'
import { profileKey } from './profile-key.ts'

/** Identifying attributes of a person at one company. */
export interface PersonMarks {
  company_domain: string
  full_name: string | null
  email: string | null
  social_url: string | null
}

/** Computes the entries of the suppression list: keyed hashes, useless without the database's secret. */
export interface SuppressionList {
  ofHash(emailHash: string): string
  of(person: PersonMarks): string[]
  /** Hashes of every run of words in a headline that may be the name of somebody at the company. */
  inHeadline(domain: string, headline: string): string[]
}

/** Opens the suppression list with this database's secret. */
export async function openSuppressionList(db: Db): Promise<SuppressionList> {
  const { key } = await db.selectFrom('privacy_key').select('key').executeTakeFirstOrThrow()
  const mac = (kind: string, ...parts: string[]): string =>
    createHmac('sha256', key)
      .update([kind, ...parts].join('\n'))
      .digest('hex')
  const ofHash = (emailHash: string): string => mac('address', emailHash)
  const ofName = (domain: string, name: string): string => mac('name', domain, nameKey(name))
  return {
    ofHash,
    of: ({ company_domain, full_name, email, social_url }) => [
      ...(email ? [ofHash(hashEmail(email).hash)] : []),
      ...(full_name ? [ofName(company_domain, full_name)] : []),
      ...(social_url ? [mac('profile', profileKey(social_url))] : []),
    ],
    inHeadline: (domain, headline) => wordRuns(headline).map((run) => ofName(domain, run)),
  }
}

/**
 * Removes suppressed people. Every path that stores people calls it while holding the locks on the company and the
 * addresses.
 */
export async function withoutSuppressed<Person extends Omit<PersonMarks, 'company_domain'>>(
  trx: Db,
  domain: string,
  people: readonly Person[],
): Promise<Person[]> {
  if (people.length === 0) return []
  const suppressionList = await openSuppressionList(trx)
  const marks = people.map((person) => suppressionList.of({ ...person, company_domain: domain }))
  const suppressed = await findSuppressed(trx, marks.flat())
  return people.filter((_, place) => !(marks[place] as string[]).some((mac) => suppressed.has(mac)))
}

/** Removes stories whose headline names a suppressed person. */
export async function withoutSuppressedNames<Story extends { headline: string }>(
  trx: Db,
  domain: string,
  stories: readonly Story[],
): Promise<Story[]> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from suppressed_person) as any`.execute(trx)
  if (stories.length === 0 || rows[0]?.any !== true) return [...stories]
  const suppressionList = await openSuppressionList(trx)
  const marks = stories.map(({ headline }) => suppressionList.inHeadline(domain, headline))
  const suppressed = await findSuppressed(trx, marks.flat())
  return stories.filter((_, place) => !(marks[place] as string[]).some((mac) => suppressed.has(mac)))
}

async function findSuppressed(trx: Db, macs: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ mac: string }>`
    select mac from suppressed_person where mac = any(${[...new Set(macs)]}::text[])`.execute(trx)
  return new Set(rows.map(({ mac }) => mac))
}

/** Runs of two to four words, the length of names. */
function wordRuns(text: string): string[] {
  const words = text.split(/[^\p{Letter}\p{Mark}.'’-]+/u).filter((word) => word !== '')
  return words.flatMap((_, start) => [2, 3, 4].map((length) => words.slice(start, start + length).join(' ')))
}

import { createHmac } from 'node:crypto'
import { hashEmail } from './email-hash.ts'
import { nameKey } from './name-key.ts'
import { nameRuns } from './name-runs.ts'
import { profileKey } from './profile-key.ts'

/** A person's identifying attributes at one company. */
export interface PersonMarks {
  company_domain: string | null
  person_id?: string | null | undefined
  email_hash?: string | null | undefined
  full_name?: string | null | undefined
  email?: string | null | undefined
  social_url?: string | null | undefined
}

/** Computes suppression list entries: keyed hashes, which do not identify anyone without the key. */
export interface Macs {
  of(person: PersonMarks): string[]
  /** Returns the keyed hash of each word sequence that may be a name in a text about the company. */
  inText(domain: string, text: string): Map<string, string>
}

/**
 * Creates the functions that compute entries. The service and all warehouses compute the same entries from the same
 * key, so changing these functions would invalidate all stored entries.
 */
export function createMacs(key: Buffer): Macs {
  const mac = (kind: string, ...parts: string[]): string =>
    createHmac('sha256', key)
      .update([kind, ...parts].join('\n'))
      .digest('hex')
  const ofName = (domain: string, name: string): string => mac('name', domain, nameKey(name))
  return {
    of: ({ company_domain, person_id, email_hash, full_name, email, social_url }) => [
      ...(email ? [mac('address', hashEmail(email).hash)] : []),
      ...(email_hash ? [mac('address', email_hash)] : []),
      ...(person_id ? [mac('person', person_id)] : []),
      ...(full_name && company_domain ? [ofName(company_domain, full_name)] : []),
      ...(social_url ? [mac('profile', profileKey(social_url))] : []),
    ],
    inText: (domain, text) => new Map(nameRuns(text).map((run) => [run.text, ofName(domain, run.text)])),
  }
}

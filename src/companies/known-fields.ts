import { COMPANY_FIELDS } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import type { CompanyFields } from '../findings/provider.ts'

/**
 * Reads a company's known fields, which some providers use as search terms. Returns an empty object for unknown
 * companies.
 */
export async function knownFields(db: Db, domain: string): Promise<Partial<CompanyFields>> {
  const row = await db
    .selectFrom('company')
    .select([...COMPANY_FIELDS])
    .where('domain', '=', domain)
    .executeTakeFirst()
  const known = Object.entries(row ?? {}).filter(([, value]) => value !== null)
  return Object.fromEntries(known) as Partial<CompanyFields>
}

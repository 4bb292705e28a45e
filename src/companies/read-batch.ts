import type { CompanyBatch, CompanyGroup } from '../contract/companies.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { addGroups } from './company-groups.ts'
import { normalizeDomain } from './normalize-domain.ts'
import { readCompanies } from './read-companies.ts'

/** Reads companies by domain, in the order of the inputs and without duplicates. */
export async function readBatch(
  db: Db,
  inputs: readonly string[],
  groups: ReadonlySet<CompanyGroup>,
  clientId: string,
): Promise<CompanyBatch> {
  const domains = new Map(inputs.map((input) => [input, domainOf(input)]))
  const unique = new Set([...domains.values()].filter((domain) => domain !== undefined))
  const known = await readCompanies(db, [...unique], clientId)
  const found = [...new Set(domains.values())].flatMap((domain) => known.get(domain ?? '') ?? [])
  return {
    companies: await addGroups(db, found, groups),
    not_found: [...domains].filter(([, domain]) => !known.has(domain ?? '')).map(([input]) => input),
  }
}

function domainOf(input: string): string | undefined {
  try {
    return normalizeDomain(input)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

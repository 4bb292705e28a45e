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
  const { unique, notIn } = readDomains(inputs)
  const known = await readCompanies(db, unique, clientId)
  const found = unique.flatMap((domain) => known.get(domain) ?? [])
  return { companies: await addGroups(db, found, groups), not_found: notIn(known) }
}

/**
 * Normalizes the domains of a batch. `unique` contains the valid domains in order, and `notIn` returns the inputs whose
 * domain is invalid or not among the known ones.
 */
export function readDomains(inputs: readonly string[]): {
  unique: string[]
  notIn(known: { has(domain: string): boolean }): string[]
} {
  const domains = new Map(inputs.map((input) => [input, domainOf(input)]))
  return {
    unique: [...new Set(domains.values())].filter((domain) => domain !== undefined),
    notIn: (known) =>
      [...domains].filter(([, domain]) => domain === undefined || !known.has(domain)).map(([input]) => input),
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

import type { PersonBatch, PersonGroup } from '../contract/persons.ts'
import { PERSON_BATCH_MAXIMUM } from '../contract/persons.ts'
import type { Db } from '../db/database.ts'
import { readPersonsOfCompanies } from '../persons/company-persons.ts'
import { readDomains } from './read-batch.ts'
import { visibleDomains } from './read-companies.ts'

/** Reads the people at several companies, in the order of the inputs and without duplicates. */
export async function readPersonBatch(
  db: Db,
  inputs: readonly string[],
  groups: ReadonlySet<PersonGroup>,
  clientId: string,
): Promise<PersonBatch> {
  const { unique, notIn } = readDomains(inputs)
  const visible = await visibleDomains(db, unique, clientId)
  const found = unique.filter((domain) => visible.has(domain))
  const persons = await readPersonsOfCompanies(db, found, groups, PERSON_BATCH_MAXIMUM.persons)
  return {
    companies: found.map((domain) => ({ domain, ...(persons.get(domain) ?? { persons: [], total: 0 }) })),
    not_found: notIn(visible),
  }
}

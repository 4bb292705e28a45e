import type { EnrichDeps } from './enrich-company.ts'
import { enrichCompany } from './enrich-company.ts'
import { enrichPerson } from './enrich-person.ts'
import type { Look } from './run-item.ts'

/** Looks companies and persons up at the providers. */
export function createLook(deps: EnrichDeps): Look {
  return (item, signal) =>
    item.entity === 'company' ? enrichCompany(deps, item, signal) : enrichPerson(deps, item, signal)
}

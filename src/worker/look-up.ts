import type { Look } from './carry-out-item.ts'
import type { LookUpDeps } from './look-up-company.ts'
import { lookUpCompany } from './look-up-company.ts'
import { lookUpPerson } from './look-up-person.ts'

/** Looks companies and persons up at the providers. */
export function createLook(deps: LookUpDeps): Look {
  return (item, signal) =>
    item.entity === 'company' ? lookUpCompany(deps, item, signal) : lookUpPerson(deps, item, signal)
}

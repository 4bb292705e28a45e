import { COMPANY_FIELDS } from '../contract/companies.ts'
import type { MergedField } from '../findings/merge.ts'
import type { CompanyField } from '../findings/provider.ts'
import type { Change } from '../history/history-events.ts'
import type { CompanyRow } from './company-row.ts'

/**
 * Returns one change for each field whose merged value differs from its stored value. A field without a current source
 * becomes null.
 */
export function companyChanges(
  company: CompanyRow,
  merged: ReadonlyMap<CompanyField, MergedField>,
  /** Returns the source of a field's stored value, which is recorded if the value is removed. */
  formerSource: (field: CompanyField) => string,
): Change[] {
  return COMPANY_FIELDS.flatMap((field) => {
    const winner = merged.get(field)?.winner
    const [old_value, new_value] = [company[field], winner?.value ?? null]
    if (old_value === new_value) return []
    const source = winner?.source ?? formerSource(field)
    return [{ entity: 'company', person_id: null, email_hash: null, field, old_value, new_value, source }]
  })
}

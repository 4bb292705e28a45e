import type { MergedField } from '../enrichment/merge.ts'
import type { CompanyField } from '../enrichment/provider.ts'
import type { Change } from '../history/history-events.ts'
import type { CompanyRow } from './company-rows.ts'

/** The fields of a company that sources observe, in the order in which replies and events show them. */
export const COMPANY_FIELDS = [
  'name',
  'legal_name',
  'description',
  'industry',
  'employee_count',
  'employee_range',
  'headquarters_street',
  'headquarters_city',
  'headquarters_state',
  'headquarters_postal_code',
  'headquarters_country',
  'phone',
  'social_url',
  'logo_url',
  'founded_year',
] as const satisfies readonly CompanyField[]

/** One change for each field whose winner differs from the record. A field that nobody names any more becomes null. */
export function companyChanges(
  company: CompanyRow,
  merged: ReadonlyMap<CompanyField, MergedField>,
  /** Who said it before: the witness of a field that is gone. */
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

import type { FieldGroup } from '../findings/provider.ts'

/** Units per company for each field group. */
export const COMPANY_COST = 1
export const LEADERSHIP_COST = 5
export const SIGNALS_COST = 3
export const PERSON_COST = 1

const COST_OF: Record<FieldGroup, number> = {
  company: COMPANY_COST,
  leadership: LEADERSHIP_COST,
  signals: SIGNALS_COST,
}

/** Returns the units for one company: 1 for company fields, 5 for leadership and 3 for signals. */
export const companyCost = (groups: readonly FieldGroup[]): number =>
  groups.reduce((units, group) => units + COST_OF[group], 0)

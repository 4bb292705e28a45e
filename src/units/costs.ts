import type { FieldGroup } from '../findings/provider.ts'

/** Units for one company, by what is asked for beside its own fields. */
export const COMPANY_COST = 1
export const LEADERSHIP_COST = 5
export const SIGNALS_COST = 3
export const PERSON_COST = 1

const COST_OF: Record<FieldGroup, number> = {
  company: COMPANY_COST,
  leadership: LEADERSHIP_COST,
  signals: SIGNALS_COST,
}

/** What one company costs: 1 for its fields, 5 for its leadership, 3 for its signals, summed. */
export const companyCost = (groups: readonly FieldGroup[]): number =>
  groups.reduce((units, group) => units + COST_OF[group], 0)

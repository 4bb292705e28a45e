import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableTimestamp } from './nullable.ts'

const limits = {
  units_per_night: Type.Integer({
    minimum: 0,
    maximum: 2_000_000_000,
    description: 'Maximum units that a night spends; 0: nights buy no enrichment.',
  }),
  keep_units: Type.Integer({
    minimum: 0,
    maximum: 2_000_000_000,
    description: "Units of the period's balance that nights do not spend.",
  }),
}

/** The limits of what nights spend. */
export const Budget = named(
  'Budget',
  Type.Object({
    ...limits,
    changed_at: nullableTimestamp('When the budget was set through the API; null if the settings determine it.'),
  }),
)
export type Budget = Static<typeof Budget>

export const BudgetUpdate = named('BudgetUpdate', Type.Object(limits, { additionalProperties: false }))
export type BudgetUpdate = Static<typeof BudgetUpdate>

import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableTimestamp } from './nullable.ts'

const limits = {
  units_per_night: Type.Integer({
    minimum: 0,
    maximum: 2_000_000_000,
    description: 'Maximum number of units spent per night; 0 disables nightly enrichment.',
  }),
  keep_units: Type.Integer({
    minimum: 0,
    maximum: 2_000_000_000,
    description: "Units of the period's balance that nightly runs must not spend.",
  }),
}

/** The limits on nightly spending. */
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

import type { Static } from 'typebox'
import { Type } from 'typebox'
import { timestamp } from './nullable.ts'

export const Usage = Type.Object({
  plan: Type.String(),
  units_remaining: Type.Integer({ description: 'The balance; below zero with overage' }),
  units_used_this_period: Type.Integer({ description: 'Charges less refunds' }),
  period_started_at: timestamp('When this period began.'),
  period_ends_at: timestamp('When the next begins.'),
  overage_allowed: Type.Boolean({ description: 'May the balance go below zero?' }),
})
export type Usage = Static<typeof Usage>

import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { timestamp } from './nullable.ts'

export const Usage = named(
  'Usage',
  Type.Object({
    plan: Type.String(),
    units_remaining: Type.Integer({ description: 'Current balance; may be negative if overage is allowed.' }),
    units_used_this_period: Type.Integer({ description: 'Charges minus refunds in this period.' }),
    period_started_at: timestamp('When the current period began.'),
    period_ends_at: timestamp('When the next period begins.'),
    overage_allowed: Type.Boolean({ description: 'Whether the balance may go below zero.' }),
  }),
)
export type Usage = Static<typeof Usage>

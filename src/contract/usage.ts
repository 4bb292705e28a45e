import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableText, timestamp } from './nullable.ts'

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

/** A ledger entry. */
export const LedgerEntry = named(
  'LedgerEntry',
  Type.Object({
    entry_id: Type.Integer({ description: 'Order of the entries.' }),
    kind: Type.Enum(['charge', 'refund', 'grant', 'period_start']),
    units: Type.Integer({ description: 'Signed: charges are negative.' }),
    balance_after: Type.Integer({ description: 'Balance after the entry.' }),
    task_id: nullableText('Task of a charge or refund.'),
    reason: nullableText('Reason of a grant or refund.'),
    created_at: timestamp('When the entry was booked.'),
  }),
)
export type LedgerEntry = Static<typeof LedgerEntry>

export const LedgerQuery = Type.Object(
  {
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Return only entries with a smaller ID.' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  },
  { additionalProperties: false },
)

export const LedgerPage = named(
  'LedgerPage',
  Type.Object({
    entries: Type.Array(LedgerEntry, { description: 'Newest first.' }),
    limit: Type.Integer(),
  }),
)
export type LedgerPage = Static<typeof LedgerPage>

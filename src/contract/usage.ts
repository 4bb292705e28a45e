import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { nullableEnum, nullableText, timestamp } from './nullable.ts'

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

const kind = Type.Enum(['charge', 'refund', 'grant', 'period_start'])

/** A ledger entry. */
export const LedgerEntry = named(
  'LedgerEntry',
  Type.Object({
    entry_id: Type.Integer({ description: 'Entry ID; IDs increase with time.' }),
    kind,
    units: Type.Integer({ description: 'Number of units; negative for charges.' }),
    balance_after: Type.Integer({ description: 'Balance after the entry.' }),
    task_id: nullableText('Task of a charge or refund.'),
    reason: nullableText('Reason for a grant or refund.'),
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

/** Largest item number. A line for a whole entry has item 0. */
const MAX_ITEM = 2 ** 31 - 1

/**
 * The part of a ledger entry for one company or person. An entry's lines add up to its units. Grants, period starts and
 * entries of tasks without items have one line, with item 0.
 */
export const LedgerLine = named(
  'LedgerLine',
  Type.Object({
    entry_id: Type.Integer({ description: 'Ledger entry.' }),
    item: Type.Integer({ minimum: 0, description: 'Item number in the task, or 0 for the whole entry.' }),
    kind,
    units: Type.Integer({ description: 'Number of units; negative for charges.' }),
    task_id: nullableText('Task of a charge or refund.'),
    task_type: nullableText('Type of the task.'),
    entity: nullableEnum(['company', 'person'], 'Type of the record that the task enriched.'),
    domain: nullableText('Enriched company, or company of the enriched person.'),
    groups: Type.Array(Type.String(), { description: 'Requested groups: company, leadership, signals.' }),
    reason: nullableText('Reason for a grant or refund.'),
    created_at: timestamp('When the entry was booked.'),
  }),
)
export type LedgerLine = Static<typeof LedgerLine>

export const LedgerLineQuery = Type.Object(
  {
    after_entry: Type.Integer({ minimum: 0, default: 0, description: 'Return only lines after this entry.' }),
    after_item: Type.Integer({
      minimum: 0,
      maximum: MAX_ITEM,
      default: MAX_ITEM,
      description: 'With `after_entry`: also return the later items of that entry.',
    }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200 }),
  },
  { additionalProperties: false },
)
export type LedgerLineQuery = Static<typeof LedgerLineQuery>

export const LedgerLinePage = named(
  'LedgerLinePage',
  Type.Object({
    ledger_id: Type.String({ description: 'Identifier of the ledger, unique for each client of each service.' }),
    lines: Type.Array(LedgerLine, {
      description: 'Lines ordered by entry, oldest first, and by item within an entry.',
    }),
    limit: Type.Integer(),
  }),
)
export type LedgerLinePage = Static<typeof LedgerLinePage>

import type { Static } from 'typebox'
import { Type } from 'typebox'
import { nullableText, timestamp } from './nullable.ts'

export const HISTORY_PAGE_DEFAULT = 50
export const HISTORY_PAGE_MAXIMUM = 200

/** The query of both history endpoints. `order` is talhouse's own. */
export const HistoryQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: HISTORY_PAGE_MAXIMUM, default: HISTORY_PAGE_DEFAULT }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 }),
    field: Type.Optional(Type.String({ minLength: 1, description: 'Changes of this field alone' })),
    since: Type.Optional(
      Type.String({
        description:
          'Changes after this moment, itself excluded: ISO 8601, up to microseconds, UTC unless an offset is given. Pass on the last `changed_at` as it came: no change ever appears below it later.',
        examples: ['2026-11-21T01:02:03.456789Z'],
      }),
    ),
    order: Type.Enum(['desc', 'asc'], {
      default: 'desc',
      description: 'desc: newest first. asc: oldest first, for readers that follow',
    }),
  },
  { additionalProperties: false },
)
export type HistoryQuery = Static<typeof HistoryQuery>

const Value = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

/** One field of one record changed. No two events of a record share a `changed_at`. */
export const HistoryEvent = Type.Object({
  id: Type.String({ description: 'Names the event' }),
  entity: Type.Enum(['company', 'person']),
  key: nullableText('The domain of the company, or the email_hash of the person (null while no address is known)'),
  field: Type.String({ description: 'The field that changed' }),
  old_value: { ...Value, description: 'Before; null: nothing was known' } as typeof Value,
  new_value: { ...Value, description: 'After; null: no longer known' } as typeof Value,
  changed_at: timestamp('When. Within one record it rises in the order in which changes became visible.'),
  source: Type.String({ description: 'The source that said so' }),
  task_id: nullableText('The task that brought it; null for an import'),
})
export type HistoryEvent = Static<typeof HistoryEvent>

export const HistoryPage = Type.Object({
  events: Type.Array(HistoryEvent),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

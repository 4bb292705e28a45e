import type { Static } from 'typebox'
import { Type } from 'typebox'
import { COMPANY_FIELDS } from './companies.ts'
import { named } from './named.ts'
import { nullableText, timestamp } from './nullable.ts'

export const HISTORY_PAGE_DEFAULT = 50
export const HISTORY_PAGE_MAXIMUM = 200

/** Person fields whose history is recorded, in the order in which the events of one change are written. */
export const PERSON_HISTORY_FIELDS = [
  'full_name',
  'first_name',
  'last_name',
  'title',
  'seniority',
  'department',
  'email',
  'email_status',
  'phone',
  'social_url',
  'in_formadv',
  'left_at',
] as const

/** Query parameters of the history endpoints. `order` is a talhouse extension. */
const historyQuery = (fields: readonly string[]) =>
  Type.Object(
    {
      limit: Type.Integer({ minimum: 1, maximum: HISTORY_PAGE_MAXIMUM, default: HISTORY_PAGE_DEFAULT }),
      offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 }),
      field: Type.Optional(
        Type.Unsafe<string>({ type: 'string', enum: [...fields], description: 'Return only changes to this field.' }),
      ),
      since: Type.Optional(
        Type.String({
          description:
            'Return changes after this time (exclusive): ISO 8601, up to microsecond precision, UTC by default. To continue, pass the last `changed_at` unchanged; later changes always sort after it.',
          examples: ['2026-11-21T01:02:03.456789Z'],
        }),
      ),
      order: Type.Enum(['desc', 'asc'], {
        default: 'desc',
        description: '`desc`: newest first; `asc`: oldest first, for incremental reads.',
      }),
    },
    { additionalProperties: false },
  )

export const CompanyHistoryQuery = historyQuery([...COMPANY_FIELDS, 'in_formadv', 'crd_number'])
export const PersonHistoryQuery = historyQuery(PERSON_HISTORY_FIELDS)
export type HistoryQuery = Static<typeof CompanyHistoryQuery>

const Value = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

/** A change to one field. Within a record, each event has a distinct `changed_at`. */
export const HistoryEvent = named(
  'HistoryEvent',
  Type.Object({
    id: Type.String({ description: 'Event ID.' }),
    entity: Type.Enum(['company', 'person']),
    key: nullableText('Company domain, or email_hash of the person (null while the address is unknown).'),
    person_id: nullableText('Person; null for a company event. talhouse extension.'),
    kind: Type.Enum(['created', 'updated', 'removed'], {
      description:
        '`created`: first value of the field. `updated`: changed value. `removed`: sources no longer report a value. talhouse extension.',
    }),
    field: Type.String({ description: 'Field that changed.' }),
    old_value: { ...Value, description: 'Previous value; null if unknown.' } as typeof Value,
    new_value: { ...Value, description: 'New value; null if no longer known.' } as typeof Value,
    changed_at: timestamp('When the change was recorded; increases with commit order within a record.'),
    source: Type.String({ description: 'Source of the new value.' }),
    task_id: nullableText('Task that recorded the change; null for an import.'),
  }),
)
export type HistoryEvent = Static<typeof HistoryEvent>

export const HistoryPage = named(
  'HistoryPage',
  Type.Object({
    events: Type.Array(HistoryEvent),
    total: Type.Integer({ description: 'Number of matching events across all pages. talhouse extension.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
)
export type HistoryPage = Static<typeof HistoryPage>

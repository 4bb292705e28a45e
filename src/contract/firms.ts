import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { FirmFieldType } from './firm-fields.ts'
import { FIRM_FIELDS } from './firm-fields.ts'

export const FIRM_PAGE_DEFAULT = 25
export const FIRM_PAGE_MAXIMUM = 50

const filter = Type.String({
  description: '`<operator>.<value>`, such as `eq.NYRO` or `lt.801-12345`',
  examples: ['eq.NYRO'],
})

/** The body of `POST /firms`. Several filters on one field, `cursor` and the operators beside `eq` and `lt` are talhouse's own. */
export const FirmQuery = Type.Object(
  {
    select: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, description: 'Fields to return; all typed ones by default' }),
    ),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Union([filter, Type.Array(filter, { minItems: 1 })]), {
        description: 'Field name to filter. Operators: eq neq lt lte gt gte in ilike is cs; 100 conditions at the most',
      }),
    ),
    order: Type.Optional(
      Type.String({ description: '`<field>.desc` or `<field>.asc`', examples: ['sec_number.desc'] }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FIRM_PAGE_MAXIMUM, default: FIRM_PAGE_DEFAULT })),
    cursor: Type.Optional(
      Type.String({ description: 'The `next_cursor` of the page before, with the same select, filters and order' }),
    ),
  },
  { additionalProperties: false },
)
export type FirmQuery = Static<typeof FirmQuery>

const schemaOf: Record<FirmFieldType, () => ReturnType<typeof Type.String> | object> = {
  text: () => Type.String(),
  'text[]': () => Type.Array(Type.String()),
  integer: () => Type.Integer(),
  money: () => Type.Number(),
  boolean: () => Type.Boolean(),
  date: () => Type.String({ format: 'date' }),
}

/** One firm of a reply: the fields that were selected. */
export const FirmRecord = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(FIRM_FIELDS).map(([name, { type, description }]) => [
        name,
        Type.Optional(Type.Union([schemaOf[type]() as ReturnType<typeof Type.String>, Type.Null()], { description })),
      ]),
    ),
    items: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Every other column of the roster, as filed, by its heading',
      }),
    ),
    as_of: Type.Optional(
      Type.String({ format: 'date', description: 'Day of the roster since which these values are known' }),
    ),
  },
  { additionalProperties: true },
)

/** The reply of `POST /firms`. `next_cursor` and `as_of` are talhouse's own. */
export const FirmPage = Type.Object({
  data: Type.Array(FirmRecord),
  total_count: Type.Integer({ description: 'Firms that match the filters' }),
  next_cursor: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Present when more firms follow' }),
  ),
  as_of: Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.Null()], { description: 'Day of the newest roster in store' }),
  ),
})

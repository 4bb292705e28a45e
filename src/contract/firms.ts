import type { Static } from 'typebox'
import { Type } from 'typebox'
import { documented } from './documented.ts'
import type { FirmFieldType } from './firm-fields.ts'
import { FIRM_FIELD_NAMES, FIRM_FIELDS } from './firm-fields.ts'
import { named } from './named.ts'
import { nullableNumber, nullableText } from './nullable.ts'

export const FIRM_PAGE_DEFAULT = 25
export const FIRM_PAGE_MAXIMUM = 50

const filter = documented(
  Type.String({ description: '`<operator>.<value>`, such as `eq.NYRO` or `lt.801-12345`.', examples: ['eq.NYRO'] }),
  { pattern: '^(eq|neq|lt|lte|gt|gte|in|ilike|is|cs)\\.' },
)
const filters = documented(
  Type.Record(Type.String(), Type.Union([filter, Type.Array(filter, { minItems: 1 })]), {
    description:
      'Filters by field name. Operators: eq, neq, lt, lte, gt, gte, in, ilike, is, cs. At most 100 conditions.',
  }),
  { propertyNames: { enum: FIRM_FIELD_NAMES } },
)
/** Sortable fields: all fields except lists. */
const ordered = FIRM_FIELD_NAMES.filter((name) => FIRM_FIELDS[name].type !== 'text[]')

/**
 * The body of `POST /firms`. Multiple filters per field, `cursor`, and operators other than `eq` and `lt` are talhouse
 * extensions.
 */
export const FirmQuery = named(
  'FirmQuery',
  Type.Object(
    {
      select: Type.Optional(
        Type.Array(documented(Type.String(), { title: 'FirmField', enum: [...FIRM_FIELD_NAMES, 'items', 'as_of'] }), {
          minItems: 1,
          description: 'Fields to return. Default: all typed fields.',
        }),
      ),
      filters: Type.Optional(filters),
      order: Type.Optional(
        documented(
          Type.String({
            description:
              '`<field>.desc` or `<field>.asc`. To page with a filter, order by a unique field (sec_number or crd_number). With any other order, page with `cursor`; a filter would skip firms with equal values.',
            examples: ['sec_number.desc'],
          }),
          { pattern: `^(${ordered.join('|')})\\.(asc|desc)$` },
        ),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FIRM_PAGE_MAXIMUM, default: FIRM_PAGE_DEFAULT })),
      cursor: Type.Optional(
        Type.String({
          description: '`next_cursor` of the previous page; select, filters and order must be unchanged.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
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

/** A firm with the selected fields. */
export const FirmRecord = named(
  'Firm',
  Type.Object(
    {
      ...Object.fromEntries(
        Object.entries(FIRM_FIELDS).map(([name, { type, description }]) => [
          name,
          Type.Optional(Type.Union([schemaOf[type]() as ReturnType<typeof Type.String>, Type.Null()], { description })),
        ]),
      ),
      items: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'Other roster columns as filed, keyed by column heading.',
        }),
      ),
      as_of: Type.Optional(Type.String({ format: 'date', description: 'Date of the first roster with these values.' })),
    },
    { additionalProperties: true },
  ),
)

/** The response to `POST /firms`. `next_cursor`, `as_of` and `data_version` are talhouse extensions. */
export const FirmPage = named(
  'FirmPage',
  Type.Object({
    data: Type.Array(FirmRecord),
    total_count: Type.Integer({ description: 'Number of firms that match the filters.' }),
    next_cursor: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Cursor for the next page; absent on the last page.' }),
    ),
    as_of: Type.Optional(
      Type.Union([Type.String({ format: 'date' }), Type.Null()], { description: 'Date of the latest roster.' }),
    ),
    data_version: Type.Optional(
      Type.String({
        description:
          'Identifies the state of all firms. Changes with every import that changes a firm, so a copy of all firms that was read at this version is current as long as the version stays the same. talhouse extension.',
      }),
    ),
    warning: Type.Optional(
      Type.String({
        description:
          'Warning, present if the page ends between firms with equal order values. A filter on the last value would then skip firms; page with `cursor` instead. talhouse extension.',
      }),
    ),
  }),
)
export type FirmPage = Static<typeof FirmPage>

/** The body of `POST /v2/firms/summary`. */
export const FirmSummaryQuery = named(
  'FirmSummaryQuery',
  Type.Object({ filters: Type.Optional(filters) }, { additionalProperties: false }),
)
export type FirmSummaryQuery = Static<typeof FirmSummaryQuery>

const sums = {
  firms: Type.Integer({ description: 'Number of firms.' }),
  aum_total_usd: Type.Number({ description: "Sum of these firms' regulatory assets under management." }),
}

/** Number and total assets of the matching firms. */
export const FirmSummary = named(
  'FirmSummary',
  Type.Object({
    ...sums,
    by_state: Type.Array(
      Type.Object({ state: nullableText('State of the principal office; null if abroad or not filed.'), ...sums }),
      { description: 'Number of firms and total assets by state, largest total first.' },
    ),
    by_assets: Type.Array(
      Type.Object({
        from_usd: nullableNumber('Lower bound of the range, inclusive; null for firms that filed no assets.'),
        to_usd: nullableNumber('Upper bound of the range, exclusive; null for the last range.'),
        ...sums,
      }),
      { description: 'Number of firms and total assets by asset range, smallest range first.' },
    ),
    as_of: nullableText('Date of the latest roster.', { format: 'date' }),
  }),
)
export type FirmSummary = Static<typeof FirmSummary>

/** The body of `POST /v2/firms/export`. */
export const FirmExport = named(
  'FirmExport',
  Type.Object(
    {
      select: FirmQuery.properties.select,
      filters: FirmQuery.properties.filters,
      order: FirmQuery.properties.order,
    },
    { additionalProperties: false },
  ),
)

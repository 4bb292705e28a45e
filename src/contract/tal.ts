import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Company, ENRICHMENT_STATUSES, pageOffset } from './companies.ts'
import { named } from './named.ts'
import { absentIfNull, nullableText, timestamp } from './nullable.ts'

export const TAL_PAGE_DEFAULT = 1000
export const TAL_PAGE_MAXIMUM = 5000
export const TAL_CHANGE_MAXIMUM = 10_000
/** Maximum size of one entry's attributes, as JSON text. */
export const TAL_ATTRIBUTE_BYTES = 16_384

const attributeName = { minLength: 1, maxLength: 200 }

/** A list entry's custom columns: text values keyed by column name. */
export const TalAttributes = named(
  'TalAttributes',
  Type.Record(Type.String(attributeName), Type.String({ maxLength: 10_000 }), {
    description: 'Custom columns of the entry, such as owner or tier. talhouse extension.',
    examples: [{ owner: 'Jane', tier: 'A' }],
  }),
)
export type TalAttributes = Static<typeof TalAttributes>

/** A company on a target account list. */
export const TalEntry = named(
  'TalEntry',
  Type.Object({
    ...Company.properties,
    source: nullableText('Tag set when the company was added.'),
    attributes: TalAttributes,
    added_at: timestamp('When the company was added.'),
  }),
)
export type TalEntry = Static<typeof TalEntry>

const attributeFilter = Type.String({ pattern: '^[^:]+:', maxLength: 1000 })

/** Sortable fields of a list. */
export const TAL_ORDERS = ['domain', 'name', 'added_at', 'enriched_at', 'history_at', 'employee_count'] as const

/** All parameters are talhouse extensions. */
export const TalQuery = Type.Object(
  {
    attribute: Type.Optional(
      Type.Union([attributeFilter, Type.Array(attributeFilter, { maxItems: 20 })], {
        description:
          'Return only entries with this attribute, as `name:value`. Repeat the parameter to require several attributes.',
        examples: ['tier:A'],
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        description:
          '`next_cursor` of the previous page; filters must be unchanged. Requires the default order and cannot be combined with `offset`.',
      }),
    ),
    domain: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, description: 'Only this company.', examples: ['acme.example'] }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: TAL_PAGE_MAXIMUM, default: TAL_PAGE_DEFAULT }),
    offset: pageOffset,
    query: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Substring of the domain or company name.' }),
    ),
    source: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only entries with this tag, which was set when the company was added.',
      }),
    ),
    status: Type.Optional(
      Type.Enum([...ENRICHMENT_STATUSES, 'stale'], {
        description: 'Enrichment status, or `stale`: never enriched, or older than `fresh_days`.',
      }),
    ),
    changed_since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Return only companies whose record has changed since this time.',
      }),
    ),
    order: Type.Optional(
      Type.String({
        pattern: `^(${TAL_ORDERS.join('|')})\\.(asc|desc)$`,
        description: `Default: \`domain.asc\`. Fields: ${TAL_ORDERS.join(', ')}. Missing values sort last.`,
        examples: ['enriched_at.desc'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type TalQuery = Static<typeof TalQuery>

export const TalPage = named(
  'TalPage',
  Type.Object({
    companies: Type.Array(TalEntry, { description: 'Entries ordered by domain unless `order` is set.' }),
    total: Type.Integer({
      description: 'Number of companies on the list. With filters, number of matching companies, counted up to 10,000.',
    }),
    fresh_days: Type.Number({ description: 'Data enriched within this number of days is fresh.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
    next_cursor: Type.Optional(
      Type.String({
        description: 'Cursor for the next page. Absent on the last page, and with any order other than `domain.asc`.',
      }),
    ),
  }),
)
export type TalPage = Static<typeof TalPage>

const domains = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: TAL_CHANGE_MAXIMUM,
  description: 'Domains or URLs. Upper case, `www.` and internationalized names are accepted.',
  examples: [['acme.example', 'https://www.birch.example/about']],
})

const TalNewEntry = named(
  'TalNewEntry',
  Type.Object(
    {
      domain: Type.String({ maxLength: 2048, description: 'Domain or URL.' }),
      attributes: Type.Optional(
        Type.Record(Type.String(attributeName), Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]), {
          description: 'Attributes to set. Null removes an attribute; attributes not listed are unchanged.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)
export type TalNewEntry = Static<typeof TalNewEntry>

export const TalAddition = named(
  'TalAddition',
  Type.Object(
    {
      domains: Type.Optional(domains),
      entries: Type.Optional(
        Type.Array(TalNewEntry, {
          minItems: 1,
          maxItems: TAL_CHANGE_MAXIMUM,
          description: 'Companies with attributes, instead of or in addition to `domains`. talhouse extension.',
        }),
      ),
      source: absentIfNull(Type.String({ minLength: 1, maxLength: 100, description: 'Tag for these companies.' })),
    },
    { additionalProperties: false },
  ),
)
export type TalAddition = Static<typeof TalAddition>

export const TalAdded = named(
  'TalAdditionResult',
  Type.Object({
    added: Type.Array(Type.String(), { description: 'Domains added to the list.' }),
    already_present: Type.Array(Type.String(), { description: 'Domains already on the list; their tag is unchanged.' }),
    updated: Type.Array(Type.String(), {
      description: 'Domains in `already_present` whose attributes changed. talhouse extension.',
    }),
    rejected: Type.Array(Type.Object({ input: Type.String(), reason: Type.String() }), {
      description: 'Inputs that are not domains, with the reason.',
    }),
  }),
)
export type TalAdded = Static<typeof TalAdded>

export const TalRemoval = named('TalRemoval', Type.Object({ domains }, { additionalProperties: false }))
export type TalRemoval = Static<typeof TalRemoval>

export const TalRemoved = named(
  'TalRemovalResult',
  Type.Object({
    removed: Type.Array(Type.String(), { description: 'Domains removed from the list.' }),
    not_present: Type.Array(Type.String(), { description: 'Inputs that were not on the list.' }),
  }),
)
export type TalRemoved = Static<typeof TalRemoved>

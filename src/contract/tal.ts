import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Company, pageOffset } from './companies.ts'
import { named } from './named.ts'
import { absentIfNull, nullableText, timestamp } from './nullable.ts'

export const TAL_PAGE_DEFAULT = 1000
export const TAL_PAGE_MAXIMUM = 5000
export const TAL_CHANGE_MAXIMUM = 10_000

/** A company on a target account list. */
export const TalEntry = named(
  'TalEntry',
  Type.Object({
    ...Company.properties,
    source: nullableText('Tag set when the company was added.'),
    added_at: timestamp('When the company was added.'),
  }),
)
export type TalEntry = Static<typeof TalEntry>

/** `limit` and `offset` are talhouse extensions. */
export const TalQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: TAL_PAGE_MAXIMUM, default: TAL_PAGE_DEFAULT }),
    offset: pageOffset,
  },
  { additionalProperties: false },
)
export type TalQuery = Static<typeof TalQuery>

export const TalPage = named(
  'TalPage',
  Type.Object({
    companies: Type.Array(TalEntry, { description: 'Entries ordered by domain.' }),
    total: Type.Integer({ description: 'Number of companies on the list.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
)
export type TalPage = Static<typeof TalPage>

const domains = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: TAL_CHANGE_MAXIMUM,
  description: 'Domains or URLs. Upper case, `www.` and internationalized names are accepted.',
  examples: [['acme.example', 'https://www.birch.example/about']],
})

export const TalAddition = named(
  'TalAddition',
  Type.Object(
    {
      domains,
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

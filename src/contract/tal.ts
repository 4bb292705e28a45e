import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Company, pageOffset } from './companies.ts'
import { nullableText, timestamp } from './nullable.ts'

export const TAL_PAGE_DEFAULT = 1000
export const TAL_PAGE_MAXIMUM = 5000
export const TAL_CHANGE_MAXIMUM = 10_000

/** A company on a target account list. */
export const TalEntry = Type.Object({
  ...Company.properties,
  source: nullableText('The tag given when it was added'),
  added_at: timestamp('When it was added.'),
})
export type TalEntry = Static<typeof TalEntry>

/** `limit` and `offset` are talhouse's own. */
export const TalQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: TAL_PAGE_MAXIMUM, default: TAL_PAGE_DEFAULT }),
    offset: pageOffset,
  },
  { additionalProperties: false },
)
export type TalQuery = Static<typeof TalQuery>

export const TalPage = Type.Object({
  companies: Type.Array(TalEntry, { description: 'By domain' }),
  total: Type.Integer({ description: 'Companies on the list' }),
  limit: Type.Integer(),
  offset: Type.Integer(),
})
export type TalPage = Static<typeof TalPage>

const domains = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: TAL_CHANGE_MAXIMUM,
  description: 'Domains as people paste them: URLs, upper case, www. and international names are understood',
  examples: [['acme.example', 'https://www.birch.example/about']],
})

export const TalAddition = Type.Object(
  {
    domains,
    source: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A tag for these companies' })),
  },
  { additionalProperties: false },
)
export type TalAddition = Static<typeof TalAddition>

export const TalAdded = Type.Object({
  added: Type.Array(Type.String(), { description: 'Domains that are on the list now, and were not' }),
  already_present: Type.Array(Type.String(), { description: 'Domains that were on it; they keep their tag' }),
  rejected: Type.Array(Type.Object({ input: Type.String(), reason: Type.String() }), {
    description: 'What is no domain, and why',
  }),
})
export type TalAdded = Static<typeof TalAdded>

export const TalRemoval = Type.Object({ domains }, { additionalProperties: false })
export type TalRemoval = Static<typeof TalRemoval>

export const TalRemoved = Type.Object({
  removed: Type.Array(Type.String(), { description: 'Domains that were on the list, and are not now' }),
  not_present: Type.Array(Type.String(), { description: 'Domains, or other inputs, that were not on it' }),
})
export type TalRemoved = Static<typeof TalRemoved>

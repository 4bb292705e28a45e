import type { Static } from 'typebox'
import { Type } from 'typebox'
import { named } from './named.ts'
import { absentIfNull, nullableInteger, nullableText } from './nullable.ts'

export const MATCH_MAXIMUM = 100

const text = (description: string, maxLength = 500) => absentIfNull(Type.String({ maxLength, description }))

/** Known facts about the company to find. Requires at least one of name, domain, lei, cik and crd_number. */
export const CompanyToMatch = named(
  'CompanyToMatch',
  Type.Object(
    {
      name: text('Name in any form: without its legal form, abbreviated, misspelled, or a former name.'),
      domain: text('Domain or URL.', 2048),
      city: text('City of the headquarters.'),
      state: text('State or province of the headquarters; US states by code or name.'),
      country: text('Country of the headquarters, by English name or ISO code.'),
      lei: text('Legal Entity Identifier.'),
      cik: text('CIK number assigned by the SEC.'),
      crd_number: absentIfNull(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'CRD number assigned by FINRA.' }),
      ),
    },
    { additionalProperties: false },
  ),
)
export type CompanyToMatch = Static<typeof CompanyToMatch>

export const CompanyMatchRequest = named(
  'CompanyMatchRequest',
  Type.Object(
    {
      companies: Type.Array(CompanyToMatch, {
        minItems: 1,
        maxItems: MATCH_MAXIMUM,
        description: 'Companies to find, each with a name, a domain or an identifier.',
        examples: [[{ name: 'Lumenfall Wealth', state: 'CO' }]],
      }),
    },
    { additionalProperties: false },
  ),
)
export type CompanyMatchRequest = Static<typeof CompanyMatchRequest>

export const MATCH_FIELDS = ['name', 'domain', 'city', 'state', 'country', 'lei', 'cik', 'crd_number'] as const
export type MatchField = (typeof MATCH_FIELDS)[number]
const MatchFieldName = named('MatchField', Type.Enum([...MATCH_FIELDS]))

/** A stored company that may be the requested company. */
export const MatchCandidate = named(
  'MatchCandidate',
  Type.Object({
    domain: nullableText('Domain; null for a registered firm without a website.'),
    crd_number: nullableInteger('CRD number, if the company is on the Form ADV roster.'),
    name: nullableText('Name.'),
    legal_name: nullableText('Full legal name.'),
    matched_name: nullableText(
      'Current or former name that was compared with the requested name; null if the request has no name.',
    ),
    city: nullableText('City of the headquarters.'),
    state: nullableText('State or province of the headquarters.'),
    country: nullableText('Country of the headquarters.'),
    likelihood: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Probability that this is the requested company. The likelihoods of all candidates add up to at most 1.',
    }),
    agreed: Type.Array(MatchFieldName, { description: 'Request fields that agree with the stored company.' }),
    disagreed: Type.Array(MatchFieldName, { description: 'Request fields that contradict the stored company.' }),
  }),
)
export type MatchCandidate = Static<typeof MatchCandidate>

export const CompanyMatch = named(
  'CompanyMatch',
  Type.Object({
    status: Type.Enum(['matched', 'doubtful', 'no_match'], {
      description:
        '`matched`: the first candidate is likely enough to use without review. `doubtful`: the candidates need review. `no_match`: none of the stored companies is a likely match.',
    }),
    candidates: Type.Array(MatchCandidate, {
      description: 'At most 5 candidates, most likely first; unlikely candidates are omitted.',
    }),
  }),
)
export type CompanyMatch = Static<typeof CompanyMatch>

export const CompanyMatches = named(
  'CompanyMatches',
  Type.Object({
    matches: Type.Array(CompanyMatch, { description: 'One match per requested company, in the order of the request.' }),
  }),
)
export type CompanyMatches = Static<typeof CompanyMatches>

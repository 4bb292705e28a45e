import type { Static } from 'typebox'
import { Type } from 'typebox'
import { FirmRecord } from './firms.ts'
import { nullableInteger, nullableNumber, nullableText, nullableTimestamp, timestamp } from './nullable.ts'

export const RECORD_PAGE_DEFAULT = 50
export const RECORD_PAGE_MAXIMUM = 200

export const ENRICHMENT_STATUSES = ['none', 'pending', 'complete', 'partial', 'not_found', 'failed'] as const
/** The interface's ten types, in its spelling. */
export const SIGNAL_TYPES = [
  'Funding',
  'Expansion',
  'Leadership Change',
  'Product Launch',
  'Partnership',
  'Acquisition',
  'Hiring',
  'Award',
  'Regulatory',
  'Technology',
] as const
export type SignalType = (typeof SIGNAL_TYPES)[number]

/** The field groups of a company that are sent only when asked for. */
export const COMPANY_GROUPS = ['formadv', 'leadership', 'signals'] as const
export type CompanyGroup = (typeof COMPANY_GROUPS)[number]

/** A list of field groups in a query, by comma. */
export const includeOf = (groups: readonly string[]) =>
  Type.String({
    description: `Field groups to add, by comma: ${groups.join(', ')}, or all`,
    examples: [groups.slice(0, 2).join(','), 'all'],
  })

export const pageLimit = Type.Integer({ minimum: 1, maximum: RECORD_PAGE_MAXIMUM, default: RECORD_PAGE_DEFAULT })
export const pageOffset = Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 })

/** Where one value comes from. */
export const Evidence = Type.Object({
  source: Type.String({ description: 'The source that said so: form-adv, website, wikidata, ...' }),
  url: nullableText('Where a person can see it'),
  observed_at: timestamp('When the source said so.'),
  method: Type.String({
    description: 'How it was read: roster, json-ld, microdata, rdfa, h-card, opengraph, page, ...',
  }),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Probability that the value is right' }),
  raw: Type.Optional(Type.String({ description: 'As written at the source, where it reads differently' })),
})

const Alternative = Type.Object({
  ...Evidence.properties,
  value: Type.Unsafe<string | number>({ type: ['string', 'number'], description: 'What this source says' }),
})

/** By field: where its value comes from, and what other sources say. */
export const Provenance = Type.Record(
  Type.String(),
  Type.Object({ ...Evidence.properties, alternatives: Type.Array(Alternative) }),
  { description: 'By field: where its value comes from, how sure it is, and what else was said' },
)
export type Provenance = Static<typeof Provenance>
export type Evidence = Static<typeof Evidence>

/** A person on a company's leadership list. */
export const Leader = Type.Object({
  email_hash: nullableText('Identifies the person in paths; null while no address is known'),
  full_name: Type.String(),
  first_name: nullableText('Given name'),
  last_name: nullableText('Family name'),
  title: nullableText('As written at the source'),
  seniority: nullableText('executive, director, manager, ...'),
  department: nullableText('Function within the company'),
  email: nullableText('The address'),
  email_status: nullableText('published, derived (from a pattern seen at the domain) or guessed'),
  email_confidence: nullableNumber("Probability that the address is this person's"),
  social_url: nullableText('Profile address on a professional network'),
})
export type Leader = Static<typeof Leader>

/** Something that happened to the company. */
export const Signal = Type.Object({
  type: Type.Enum([...SIGNAL_TYPES]),
  headline: Type.String({ description: 'As published' }),
  date: nullableText('The day it was published', { format: 'date' }),
  url: nullableText('Where it can be read'),
  source: Type.String({ description: 'The source that found it' }),
  confidence: Type.Number({ description: 'Probability that the type is right and the story is about this company' }),
  about: Type.String({ description: 'Why the story is about this company' }),
  first_seen_at: timestamp('When it was found.'),
})
export type Signal = Static<typeof Signal>

const { items: _, as_of, ...firmFields } = FirmRecord.properties

/** What Form ADV says of a company: the firm's fields as in the firm query. */
export const FormAdv = Type.Object(
  {
    firm_count: Type.Integer({ description: 'Firms of the newest roster that name this domain as their own' }),
    crd_numbers: Type.Array(Type.Integer(), { description: 'CRD numbers of these firms; 100 at the most' }),
    ...firmFields,
    as_of,
  },
  {
    description:
      "The firm's fields are there when one firm alone names the domain: nothing is taken from a site that firms share",
  },
)
export type FormAdv = Static<typeof FormAdv>

const observedFields = {
  name: nullableText('The name it goes by'),
  legal_name: nullableText('Full legal name'),
  description: nullableText('What it says of itself'),
  industry: nullableText('Industry'),
  employee_count: nullableInteger('Employees'),
  employee_range: nullableText('Band of employees, such as 11-50'),
  headquarters_street: nullableText('Head office: street'),
  headquarters_city: nullableText('Head office: city'),
  headquarters_state: nullableText('Head office: state or province'),
  headquarters_postal_code: nullableText('Head office: postal code'),
  headquarters_country: nullableText("Head office: the country's English name"),
  phone: nullableText('Telephone number'),
  social_url: nullableText('Profile address on a professional network'),
  logo_url: nullableText('Address of the logo'),
  founded_year: nullableInteger('Year of foundation'),
}
type ObservedField = keyof typeof observedFields

/** The fields of a company that sources observe, in the order in which replies and events show them. */
export const COMPANY_FIELDS = Object.keys(observedFields) as readonly ObservedField[]

const companyFields = {
  domain: Type.String({ description: 'Registrable domain, lower case, punycode: the identifier in paths' }),
  ...observedFields,
  in_formadv: Type.Boolean({ description: 'Does a firm of the newest Form ADV roster name this domain as its own?' }),
  enrichment_status: Type.Enum([...ENRICHMENT_STATUSES], {
    description: 'How the last enrichment ended; pending while one is under way, none before the first',
  }),
  status_reason: nullableText('What is missing, and why'),
  enriched_at: nullableTimestamp('When the fields of the company were last found.'),
  leadership_enriched_at: nullableTimestamp('When its people were last looked for.'),
  signals_enriched_at: nullableTimestamp('When its news was last looked for.'),
  retry_at: nullableTimestamp('When a source that was away is worth another try.'),
  history_at: nullableTimestamp(
    'Newest change of the record, its people included; null when nothing has changed yet. An extension of talhouse.',
  ),
  updated_at: timestamp('Moves with the fields, and when people or news are erased. An extension of talhouse.'),
}

/** How one source answered when it was last asked about a company. */
export const SourceAnswer = Type.Object({
  source: Type.String({ description: 'The source' }),
  groups: Type.Array(Type.String(), { description: 'What it was asked for: company, leadership, signals' }),
  status: Type.Enum(['found', 'not_found', 'unavailable', 'refused'], {
    description: 'unavailable may pass; refused will not (robots.txt, a wrong certificate)',
  }),
  reason: nullableText('Why nothing was found, or what is missing'),
  asked_at: timestamp('When it answered.'),
  failures: Type.Integer({ description: 'Answers in a row that were unavailable, this one included' }),
})
export type SourceAnswer = Static<typeof SourceAnswer>

/** A company. Groups are there when they were asked for. */
export const Company = Type.Object(
  {
    ...companyFields,
    formadv: Type.Optional(
      Type.Union([FormAdv, Type.Null()], { description: 'Group formadv; null when no firm names the domain' }),
    ),
    leadership: Type.Optional(
      Type.Array(Leader, {
        description: 'Group leadership: people seen at the company, most senior first; 200 at the most',
      }),
    ),
    signals: Type.Optional(
      Type.Array(Signal, { description: 'Group signals: what happened lately, newest first; 100 at the most' }),
    ),
    provenance: Type.Optional(Provenance),
    sources: Type.Optional(
      Type.Array(SourceAnswer, {
        description: 'With provenance: how each source answered when it was last asked. An extension of talhouse.',
      }),
    ),
  },
  { description: 'A company, as its sources show it' },
)
export type Company = Static<typeof Company>
export type CompanyFields = Pick<Company, ObservedField>

export const CompanyQuery = Type.Object(
  {
    include: Type.Optional(includeOf(COMPANY_GROUPS)),
    include_provenance: Type.Boolean({ default: false, description: 'Add where each field comes from' }),
  },
  { additionalProperties: false },
)
export type CompanyQuery = Static<typeof CompanyQuery>

export const CompanySearch = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name or domain, or a part of one. When nothing contains it, what is spelt nearly so is found',
      }),
    ),
    state: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'State of the head office, whatever the case; US states by code or by name',
      }),
    ),
    industry: Type.Optional(Type.String({ minLength: 1, description: 'Industry, whatever the case' })),
    in_formadv: Type.Optional(Type.Boolean()),
    enrichment_status: Type.Optional(Type.Enum([...ENRICHMENT_STATUSES])),
    include: Type.Optional(includeOf(COMPANY_GROUPS)),
    limit: pageLimit,
    offset: pageOffset,
  },
  { additionalProperties: false },
)
export type CompanySearch = Static<typeof CompanySearch>

export const CompanyPage = Type.Object({
  // Where each field comes from is told of one company at a time.
  companies: Type.Array(Type.Omit(Company, ['provenance', 'sources'])),
  total: Type.Integer({
    description:
      'Companies that match, on all pages: exact below ten thousand, above it as counted last, or estimated until it is',
  }),
  limit: Type.Integer(),
  offset: Type.Integer(),
})
export type CompanyPage = Static<typeof CompanyPage>

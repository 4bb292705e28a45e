import type { Static } from 'typebox'
import { Type } from 'typebox'
import { documented } from './documented.ts'
import { FirmRecord } from './firms.ts'
import { named } from './named.ts'
import { nullableInteger, nullableNumber, nullableText, nullableTimestamp, timestamp } from './nullable.ts'
import { EmailStatus, Seniority } from './person-values.ts'

export const RECORD_PAGE_DEFAULT = 50
export const RECORD_PAGE_MAXIMUM = 200

export const ENRICHMENT_STATUSES = ['none', 'pending', 'complete', 'partial', 'not_found', 'failed'] as const
export const EnrichmentStatus = named(
  'EnrichmentStatus',
  Type.Enum([...ENRICHMENT_STATUSES], {
    description:
      'Outcome of the latest enrichment; `pending` while an enrichment is in progress, `none` before the first enrichment.',
  }),
)
/** The ten signal types that the interface defines. */
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
export const SignalType = named('SignalType', Type.Enum([...SIGNAL_TYPES]))
export type SignalType = (typeof SIGNAL_TYPES)[number]

/** Optional field groups of a company. */
export const COMPANY_GROUPS = ['formadv', 'leadership', 'signals'] as const
export type CompanyGroup = (typeof COMPANY_GROUPS)[number]

/** Schema for a comma-separated list of field groups. */
export function includeOf(groups: readonly string[]) {
  const description = `Comma-separated field groups to add: ${groups.join(', ')} or all.`
  const one = ` *(${[...groups, 'all'].join('|')})? *`
  return documented(Type.String({ description, examples: [groups.slice(0, 2).join(','), 'all'] }), {
    pattern: `^${one}(,${one})*$`,
  })
}

export const pageLimit = Type.Integer({ minimum: 1, maximum: RECORD_PAGE_MAXIMUM, default: RECORD_PAGE_DEFAULT })
export const pageOffset = Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 })

/** The source of one value. */
export const Evidence = Type.Object({
  source: Type.String({ description: 'Source of the value, such as form-adv, website or wikidata.' }),
  url: nullableText('URL of the page where the value can be verified.'),
  observed_at: timestamp('When the value was observed.'),
  method: Type.String({
    description: 'Extraction method, such as roster, json-ld, microdata, h-card, opengraph or page.',
  }),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Probability that the value is correct.' }),
  raw: Type.Optional(Type.String({ description: 'Original value in the source, if the value was normalized.' })),
})

const Alternative = Type.Object({
  ...Evidence.properties,
  value: Type.Unsafe<string | number>({ type: ['string', 'number'], description: 'Value from this source.' }),
})

/** The evidence for each field's value, and the values from other sources. */
export const Provenance = Type.Record(
  Type.String(),
  Type.Object({ ...Evidence.properties, alternatives: Type.Array(Alternative) }),
  { description: 'Evidence by field name: source, confidence, and values from other sources.' },
)
export type Provenance = Static<typeof Provenance>
export type Evidence = Static<typeof Evidence>

/** A person in the leadership group. */
export const Leader = named(
  'Leader',
  Type.Object({
    person_id: Type.String({
      description: 'Stable identifier of the person at this company, accepted in paths. talhouse extension.',
    }),
    email_hash: nullableText(
      'First 16 hex digits of the SHA-256 of the lowercased email address; null while the address is unknown.',
    ),
    full_name: Type.String(),
    first_name: nullableText('Given name.'),
    last_name: nullableText('Family name.'),
    title: nullableText('Job title as written at the source.'),
    seniority: Seniority,
    department: nullableText('Department within the company.'),
    email: nullableText('Email address.'),
    email_status: EmailStatus,
    email_confidence: nullableNumber('Probability that the address belongs to this person.'),
    social_url: nullableText('Profile URL on a professional network.'),
    confidence: nullableNumber('Probability that the observation is correct. talhouse extension.'),
    source: nullableText('Source of the best observation. talhouse extension.'),
    url: nullableText('Page that lists the person. talhouse extension.'),
  }),
)
export type Leader = Static<typeof Leader>

/** A company event found in the news. */
export const Signal = named(
  'Signal',
  Type.Object({
    type: SignalType,
    headline: Type.String({ description: 'Headline as published.' }),
    date: nullableText('Publication date.', { format: 'date' }),
    url: nullableText('URL of the article.'),
    source: Type.String({ description: 'Source of the signal.' }),
    confidence: Type.Number({
      description: 'Probability that the type is correct and the article is about this company.',
    }),
    about: Type.String({ description: 'Evidence that the article is about this company.' }),
    first_seen_at: timestamp('When the signal was first found.'),
  }),
)
export type Signal = Static<typeof Signal>

const { items: _, as_of, ...firmFields } = FirmRecord.properties

/** A company's Form ADV data, with the same fields as the firm query. */
export const FormAdv = named(
  'FormAdv',
  Type.Object(
    {
      firm_count: Type.Integer({
        description: 'Number of firms on the latest roster that list this domain as their website.',
      }),
      crd_numbers: Type.Array(Type.Integer(), { description: 'CRD numbers of these firms, at most 100.' }),
      ...firmFields,
      as_of,
    },
    {
      description:
        'Firm fields are present only if exactly one firm lists the domain, because a shared website does not identify a single firm.',
    },
  ),
)
export type FormAdv = Static<typeof FormAdv>

const observedFields = {
  name: nullableText('Company name.'),
  legal_name: nullableText('Full legal name.'),
  description: nullableText('Self-description.'),
  industry: nullableText('Industry.'),
  naics_code: nullableText('Six-digit code of the industry in NAICS 2022. talhouse extension.'),
  naics_title: nullableText('Title of the NAICS code. talhouse extension.'),
  employee_count: nullableInteger('Number of employees.'),
  employee_range: nullableText('Headcount range, such as 11-50.'),
  headquarters_street: nullableText('Street address of the headquarters.'),
  headquarters_city: nullableText('City of the headquarters.'),
  headquarters_state: nullableText('State or province of the headquarters.'),
  headquarters_postal_code: nullableText('Postal code of the headquarters.'),
  headquarters_country: nullableText('Country of the headquarters, as an English name.'),
  phone: nullableText('Phone number.'),
  social_url: nullableText('Profile URL on a professional network.'),
  logo_url: nullableText('URL of the logo.'),
  founded_year: nullableInteger('Year the company was founded.'),
}
type ObservedField = keyof typeof observedFields

/** Company fields observed by sources, in the order used in responses and events. */
export const COMPANY_FIELDS = Object.keys(observedFields) as readonly ObservedField[]

const companyFields = {
  domain: Type.String({ description: 'Registrable domain in lower case and punycode; the identifier in paths.' }),
  ...observedFields,
  in_formadv: Type.Boolean({
    description: 'Whether a firm on the latest Form ADV roster lists this domain as its website.',
  }),
  enrichment_status: EnrichmentStatus,
  status_reason: nullableText('Missing data, with the reason.'),
  enriched_at: nullableTimestamp('When company fields were last found.'),
  leadership_enriched_at: nullableTimestamp('When leadership was last enriched.'),
  signals_enriched_at: nullableTimestamp('When signals were last enriched.'),
  retry_at: nullableTimestamp('When an unavailable source is due for another attempt.'),
  history_at: nullableTimestamp(
    'Time of the latest change of the record or its people; null if no change is recorded. talhouse extension.',
  ),
  updated_at: timestamp('When the record last changed, including erased people and signals. talhouse extension.'),
}

/** The latest result from one source for a company. */
export const SourceAnswer = named(
  'SourceResult',
  Type.Object({
    source: Type.String({ description: 'Source name.' }),
    groups: Type.Array(Type.Enum(['company', 'leadership', 'signals']), {
      description:
        'Groups requested from the source: company, leadership, signals. Consecutive `unavailable` results list the groups of all of them.',
    }),
    status: Type.Enum(['found', 'not_found', 'unavailable', 'refused'], {
      description: '`unavailable` is temporary; `refused` is permanent (robots.txt, invalid certificate).',
    }),
    reason: nullableText('Reason data was not found or is incomplete.'),
    asked_at: timestamp('When the source was queried.'),
    failures: Type.Integer({
      description: 'Number of consecutive `unavailable` results, including the latest result.',
    }),
  }),
)
export type SourceAnswer = Static<typeof SourceAnswer>

/** A company, with the requested groups. */
export const Company = named(
  'Company',
  Type.Object(
    {
      ...companyFields,
      formadv: Type.Optional(
        Type.Union([FormAdv, Type.Null()], { description: 'Field group `formadv`; null if no firm lists the domain.' }),
      ),
      leadership: Type.Optional(
        Type.Array(Leader, {
          description: 'Field group `leadership`: at most 200 people, most senior first.',
        }),
      ),
      signals: Type.Optional(
        Type.Array(Signal, { description: 'Field group `signals`: at most 100 signals, newest first.' }),
      ),
      provenance: Type.Optional(Provenance),
      sources: Type.Optional(
        Type.Array(SourceAnswer, {
          description: 'Latest result of each source, returned with provenance. talhouse extension.',
        }),
      ),
    },
    { description: 'A company record.' },
  ),
)
export type Company = Static<typeof Company>
export type CompanyFields = Pick<Company, ObservedField>

export const CompanyQuery = Type.Object(
  {
    include: Type.Optional(includeOf(COMPANY_GROUPS)),
    include_provenance: Type.Boolean({ default: false, description: 'Add the source of each field.' }),
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
        description:
          'All or part of a name or domain. If no name or domain contains the text, names and domains with a similar spelling match.',
      }),
    ),
    state: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'State of the headquarters, case-insensitive; US states by code or name.',
      }),
    ),
    industry: Type.Optional(Type.String({ minLength: 1, description: 'Industry, case-insensitive.' })),
    country: Type.Optional(
      Type.String({ minLength: 1, description: 'Country of the headquarters, case-insensitive. talhouse extension.' }),
    ),
    min_employees: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000_000,
        description: 'Minimum number of employees. talhouse extension.',
      }),
    ),
    max_employees: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000_000,
        description: 'Maximum number of employees. talhouse extension.',
      }),
    ),
    founded_from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 9999, description: 'Earliest founding year. talhouse extension.' }),
    ),
    founded_to: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 9999, description: 'Latest founding year. talhouse extension.' }),
    ),
    in_formadv: Type.Optional(
      Type.Boolean({ description: 'Whether a firm on the latest Form ADV roster lists the domain.' }),
    ),
    enrichment_status: Type.Optional(EnrichmentStatus),
    include: Type.Optional(includeOf(COMPANY_GROUPS)),
    limit: pageLimit,
    offset: pageOffset,
  },
  { additionalProperties: false },
)
export type CompanySearch = Static<typeof CompanySearch>

export const CompanyPage = named(
  'CompanyPage',
  Type.Object({
    companies: Type.Array(Company),
    total: Type.Integer({
      description:
        'Number of matching companies across all pages: exact below 10,000; otherwise, a cached count or an estimate.',
    }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
)
export type CompanyPage = Static<typeof CompanyPage>

export const BATCH_READ_MAXIMUM = 200

export const CompanyBatchRead = named(
  'CompanyBatchReadRequest',
  Type.Object(
    {
      domains: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
        minItems: 1,
        maxItems: BATCH_READ_MAXIMUM,
        description: 'Domains or URLs.',
        examples: [['acme.example', 'birch.example']],
      }),
      include: Type.Optional(includeOf(COMPANY_GROUPS)),
    },
    { additionalProperties: false },
  ),
)
export type CompanyBatchRead = Static<typeof CompanyBatchRead>

export const CompanyBatch = named(
  'CompanyBatch',
  Type.Object({
    companies: Type.Array(Company, { description: 'Companies with a record, in the order of the request.' }),
    not_found: Type.Array(Type.String(), { description: 'Domains without a record, and inputs that are not domains.' }),
  }),
)
export type CompanyBatch = Static<typeof CompanyBatch>

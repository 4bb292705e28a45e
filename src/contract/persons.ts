import type { Static } from 'typebox'
import { Type } from 'typebox'
import { EnrichmentStatus, includeOf, Provenance, pageLimit, pageOffset } from './companies.ts'
import { HistoryEvent } from './history.ts'
import { named } from './named.ts'
import { nullableInteger, nullableNumber, nullableText, nullableTimestamp, timestamp } from './nullable.ts'
import { EmailStatus, Seniority } from './person-values.ts'

/** Optional field groups of a person. */
export const PERSON_GROUPS = ['contact', 'profile', 'formadv', 'history'] as const
export type PersonGroup = (typeof PERSON_GROUPS)[number]

const Contact = named(
  'PersonContact',
  Type.Object(
    {
      email: nullableText('Email address.'),
      email_status: EmailStatus,
      email_confidence: nullableNumber('Probability that the address belongs to this person.'),
      phone: nullableText('Phone number.'),
      social_url: nullableText('Profile URL on a professional network.'),
    },
    { description: 'Field group `contact`: contact data.' },
  ),
)

const Profile = named(
  'PersonProfile',
  Type.Object(
    {
      last_seen_at: timestamp('When a source last listed the person at the company.'),
      left_at: nullableTimestamp(
        'When sources stopped listing the person at the company; null if the person is still listed.',
      ),
      company_industry: nullableText('Industry of the company.'),
      company_employee_count: nullableInteger('Number of employees at the company.'),
      company_city: nullableText('City of the company headquarters.'),
      company_state: nullableText('State or province of the company headquarters.'),
      company_country: nullableText('Country of the company headquarters.'),
    },
    { description: 'Field group `profile`: employment data.' },
  ),
)

const PersonFormAdv = named(
  'PersonFormAdv',
  Type.Object({
    title: nullableText('Title or status as filed in Schedule A or B.'),
    full_name: Type.String({ description: 'Name as filed.' }),
    observed_at: timestamp('When the form was filed.'),
    url: nullableText('URL of the filing.'),
  }),
)

const personGroups = {
  contact: Type.Optional(Contact),
  profile: Type.Optional(Profile),
  formadv: Type.Optional(
    Type.Union([PersonFormAdv, Type.Null()], {
      description: 'Field group `formadv`: Form ADV data; null if no filing names the person.',
    }),
  ),
  history: Type.Optional(
    Type.Array(HistoryEvent, { description: 'Field group `history`: the latest 50 changes, newest first.' }),
  ),
}

const identity = {
  person_id: Type.String({
    description:
      'Stable identifier of the person at this company, accepted in paths; unchanged if the address changes. talhouse extension.',
  }),
  email_hash: nullableText(
    'First 16 hex digits of the SHA-256 of the lowercased email address; null while the address is unknown.',
  ),
  email: nullableText('Email address.'),
  full_name: Type.String(),
  title: nullableText('Job title as written at the source.'),
  seniority: Seniority,
  company_domain: Type.String(),
  company_name: nullableText('Company name.'),
}

/** A person at a company, with the requested groups. */
export const Person = named(
  'Person',
  Type.Object(
    {
      ...identity,
      first_name: nullableText('Given name.'),
      last_name: nullableText('Family name.'),
      department: nullableText('Department within the company.'),
      social_url: nullableText('Profile URL on a professional network.'),
      in_formadv: Type.Boolean({ description: 'Whether a Form ADV Schedule A or B names the person at this company.' }),
      enrichment_status: EnrichmentStatus,
      enriched_at: nullableTimestamp('When a source last confirmed or changed the record.'),
      ...personGroups,
      provenance: Type.Optional(Provenance),
    },
    { description: 'A person at a company.' },
  ),
)
export type Person = Static<typeof Person>

/** A search result: a subset of the person fields. */
export const FoundPerson = named('PersonSummary', Type.Object({ ...identity, ...personGroups }))
export type FoundPerson = Static<typeof FoundPerson>

export const PersonQuery = Type.Object(
  {
    include: Type.Optional(includeOf(PERSON_GROUPS)),
    include_provenance: Type.Boolean({ default: false, description: 'Add the source of each field.' }),
  },
  { additionalProperties: false },
)
export type PersonQuery = Static<typeof PersonQuery>

/** `offset` and `include_provenance` are talhouse extensions. */
export const CompanyPersonsQuery = Type.Object(
  {
    include: Type.Optional(includeOf(PERSON_GROUPS)),
    include_provenance: Type.Boolean({
      default: false,
      description: 'Add the source of each field. talhouse extension.',
    }),
    limit: pageLimit,
    offset: pageOffset,
  },
  { additionalProperties: false },
)
export type CompanyPersonsQuery = Static<typeof CompanyPersonsQuery>

/**
 * Maximum number of companies per batch, and of people per company. The largest response has 4 MB. With 200 people per
 * company, it would have 15 MB and take 120 MB of the service's memory.
 */
export const PERSON_BATCH_MAXIMUM = { companies: 100, persons: 50 }

/** Groups of a batch. The groups `formadv` and `history` are available in the list of one company. */
export const PERSON_BATCH_GROUPS = ['contact', 'profile'] as const

export const PersonBatchRead = named(
  'PersonBatchReadRequest',
  Type.Object(
    {
      domains: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
        minItems: 1,
        maxItems: PERSON_BATCH_MAXIMUM.companies,
        description: 'Domains or URLs of the companies.',
        examples: [['acme.example', 'birch.example']],
      }),
      include: Type.Optional(includeOf(PERSON_BATCH_GROUPS)),
    },
    { additionalProperties: false },
  ),
)
export type PersonBatchRead = Static<typeof PersonBatchRead>

export const PersonBatch = named(
  'PersonBatch',
  Type.Object({
    companies: Type.Array(
      Type.Object({
        domain: Type.String(),
        persons: Type.Array(Person, {
          description: `The first ${PERSON_BATCH_MAXIMUM.persons} people at the company, most senior first.`,
        }),
        total: Type.Integer({ description: 'Number of people at the company.' }),
      }),
      { description: 'Companies with a record, in the order of the request.' },
    ),
    not_found: Type.Array(Type.String(), { description: 'Domains without a record, and inputs that are not domains.' }),
  }),
)
export type PersonBatch = Static<typeof PersonBatch>

const page = {
  total: Type.Integer({
    description:
      'Number of matching persons across all pages: exact below 10,000; otherwise, a cached count or an estimate.',
  }),
  limit: Type.Integer(),
  offset: Type.Integer(),
}

export const CompanyPersons = named('CompanyPersonPage', Type.Object({ persons: Type.Array(Person), ...page }))
export type CompanyPersons = Static<typeof CompanyPersons>

export const PersonSearch = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'All or part of a name. If no name contains the text, names with a similar spelling are returned.',
      }),
    ),
    company_domain: Type.Optional(Type.String({ minLength: 1, description: 'Domain of the company.' })),
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Substring of the title, case-insensitive.' }),
    ),
    seniority: Type.Optional(
      Type.String({ minLength: 1, description: 'Seniority level, such as executive, director or manager.' }),
    ),
    department: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Department, case-insensitive. talhouse extension.' }),
    ),
    company_city: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'City of the company headquarters, case-insensitive. talhouse extension.',
      }),
    ),
    include: Type.Optional(includeOf(PERSON_GROUPS)),
    limit: pageLimit,
    offset: pageOffset,
  },
  { additionalProperties: false },
)
export type PersonSearch = Static<typeof PersonSearch>

export const PersonPage = named('PersonPage', Type.Object({ persons: Type.Array(FoundPerson), ...page }))
export type PersonPage = Static<typeof PersonPage>

/** The response to `DELETE /v2/persons/{email_hash}`. An unknown hash is also suppressed; its counts are 0. */
export const ErasedPerson = named(
  'ErasureReport',
  Type.Object({
    email_hash: nullableText('Hash of the erased address; null if the address is unknown.'),
    persons: Type.Integer({ description: 'Person records erased.' }),
    events: Type.Integer({ description: 'History events erased.' }),
    signals: Type.Integer({ description: 'Signals erased because the headline named the person.' }),
  }),
)
export type ErasedPerson = Static<typeof ErasedPerson>

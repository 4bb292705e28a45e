import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ENRICHMENT_STATUSES, includeOf, Provenance, pageLimit, pageOffset } from './companies.ts'
import { HistoryEvent } from './history.ts'
import { nullableNumber, nullableText, nullableTimestamp, timestamp } from './nullable.ts'

/** The field groups of a person that are sent only when asked for. */
export const PERSON_GROUPS = ['contact', 'profile', 'formadv', 'history'] as const
export type PersonGroup = (typeof PERSON_GROUPS)[number]

/**
 * Levels of seniority, highest first. `executive`: heads and owners of the company and its chief officers. `partner`: owners without an
 * executive office. `board`: members of a supervisory body. `senior`: experienced people who manage nobody.
 */
export const SENIORITIES = [
  'executive',
  'partner',
  'board',
  'vice_president',
  'director',
  'manager',
  'senior',
  'staff',
  'junior',
] as const

export type Seniority = (typeof SENIORITIES)[number]

const Contact = Type.Object(
  {
    email: nullableText('The address'),
    email_status: nullableText('published, derived (from a pattern seen at the domain) or guessed'),
    email_confidence: nullableNumber("Probability that the address is this person's"),
    phone: nullableText('Telephone number'),
    social_url: nullableText('Profile address on a professional network'),
  },
  { description: 'Group contact: how to reach the person' },
)

const Profile = Type.Object(
  {
    last_seen_at: timestamp('When a source last showed the person at the company.'),
    left_at: nullableTimestamp('When the sources that had shown the person no longer did; null: still there.'),
    company_industry: nullableText('Industry of the company'),
    company_employee_count: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    company_city: nullableText('Head office of the company: city'),
    company_state: nullableText('Head office of the company: state or province'),
    company_country: nullableText('Head office of the company: country'),
  },
  { description: 'Group profile: the employment' },
)

const PersonFormAdv = Type.Object({
  title: nullableText('Title or status, as filed in Schedule A or B'),
  full_name: Type.String({ description: 'The name, as filed' }),
  observed_at: timestamp('When it was filed.'),
  url: nullableText('Where it can be seen'),
})

const personGroups = {
  contact: Type.Optional(Contact),
  profile: Type.Optional(Profile),
  formadv: Type.Optional(
    Type.Union([PersonFormAdv, Type.Null()], {
      description: 'Group formadv: what a Form ADV says of the person; null when none does',
    }),
  ),
  history: Type.Optional(
    Type.Array(HistoryEvent, { description: 'Group history: the latest changes, newest first; 50 at the most' }),
  ),
}

const identity = {
  email_hash: nullableText(
    'First 16 hex digits of the SHA-256 of the lower-case address: the identifier in paths; null while no address is known',
  ),
  email: nullableText('The address'),
  full_name: Type.String(),
  title: nullableText('As written at the source'),
  seniority: nullableText('executive, director, manager, ...'),
  company_domain: Type.String(),
  company_name: nullableText('The name the company goes by'),
}

/** A person at a company. Groups are there when they were asked for. */
export const Person = Type.Object(
  {
    ...identity,
    first_name: nullableText('Given name'),
    last_name: nullableText('Family name'),
    department: nullableText('Function within the company'),
    social_url: nullableText('Profile address on a professional network'),
    in_formadv: Type.Boolean({ description: 'Does a Form ADV Schedule A or B name the person at this company?' }),
    enrichment_status: Type.Enum([...ENRICHMENT_STATUSES]),
    enriched_at: nullableTimestamp('When a source last confirmed or changed the record.'),
    ...personGroups,
    provenance: Type.Optional(Provenance),
  },
  { description: 'A person, as sources show them at a company' },
)
export type Person = Static<typeof Person>

/** A person in search results: a subset of the fields. */
export const FoundPerson = Type.Object({ ...identity, ...personGroups })
export type FoundPerson = Static<typeof FoundPerson>

export const PersonQuery = Type.Object(
  {
    include: Type.Optional(includeOf(PERSON_GROUPS)),
    include_provenance: Type.Boolean({ default: false, description: 'Add where each field comes from' }),
  },
  { additionalProperties: false },
)
export type PersonQuery = Static<typeof PersonQuery>

/** `offset` is talhouse's own. */
export const CompanyPersonsQuery = Type.Object(
  { include: Type.Optional(includeOf(PERSON_GROUPS)), limit: pageLimit, offset: pageOffset },
  { additionalProperties: false },
)
export type CompanyPersonsQuery = Static<typeof CompanyPersonsQuery>

const page = {
  total: Type.Integer({
    description:
      'Persons that match, on all pages: exact below ten thousand, above it as counted last, or estimated until it is',
  }),
  limit: Type.Integer(),
  offset: Type.Integer(),
}

export const CompanyPersons = Type.Object({ persons: Type.Array(Type.Omit(Person, ['provenance'])), ...page })
export type CompanyPersons = Static<typeof CompanyPersons>

export const PersonSearch = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name, or a part of one. When nobody has it, those spelt nearly so are found',
      }),
    ),
    company_domain: Type.Optional(Type.String({ minLength: 1, description: 'At this company' })),
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Contained in the title, whatever the case' }),
    ),
    seniority: Type.Optional(Type.String({ minLength: 1, description: 'executive, director, manager, ...' })),
    include: Type.Optional(includeOf(PERSON_GROUPS)),
    limit: pageLimit,
    offset: pageOffset,
  },
  { additionalProperties: false },
)
export type PersonSearch = Static<typeof PersonSearch>

export const PersonPage = Type.Object({ persons: Type.Array(FoundPerson), ...page })
export type PersonPage = Static<typeof PersonPage>

/** The reply of `DELETE /v2/persons/{email_hash}`. All zero when nobody was known by the hash; the person is never stored in any case. */
export const ErasedPerson = Type.Object({
  email_hash: Type.String(),
  persons: Type.Integer({ description: 'Records erased' }),
  events: Type.Integer({ description: 'History events erased' }),
  signals: Type.Integer({ description: 'News erased whose headline named the person' }),
  tasks: Type.Integer({ description: 'Requests and results in which the person was blanked' }),
})

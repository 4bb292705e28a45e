import { FIRM_FIELD_NAMES } from '../../src/contract/firm-fields.ts'

/** Kinds of records whose fields a host may name differently. */
export const RECORD_KINDS = ['member', 'company', 'person', 'signal', 'event', 'firm'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Normalizes a name for comparisons that ignore case and separators. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Alternative names of each field, most likely name first. Comparisons ignore case and separators, so `changedAt`
 * matches `changed_at`.
 */
type Names = Readonly<Record<string, readonly string[]>>

const COMPANY: Names = {
  domain: ['company_domain', 'domain_name', 'hostname'],
  name: ['company_name', 'display_name', 'organization_name'],
  legal_name: ['registered_name', 'official_name'],
  description: ['about', 'summary'],
  industry: ['sector', 'vertical'],
  naics_code: ['naics', 'primary_naics_code'],
  naics_title: ['naics_description'],
  employee_count: ['employees', 'headcount', 'number_of_employees', 'staff_count', 'company_size'],
  employee_range: ['employees_range', 'size_range', 'headcount_range'],
  headquarters_street: ['hq_street', 'street'],
  headquarters_city: ['hq_city', 'city'],
  headquarters_state: ['hq_state', 'state'],
  headquarters_postal_code: ['hq_postal_code', 'postal_code', 'zip'],
  headquarters_country: ['hq_country', 'country'],
  phone: ['telephone', 'phone_number'],
  social_url: ['social', 'social_profile', 'profile_url'],
  logo_url: ['logo'],
  founded_year: ['year_founded', 'founded', 'founded_in'],
  in_formadv: ['formadv_listed'],
  enrichment_status: ['status', 'enrichment_state', 'state_of_enrichment'],
  status_reason: ['enrichment_reason', 'failure_reason'],
  enriched_at: ['last_enriched_at', 'enriched_on', 'last_enriched', 'enrichment_date'],
  leadership_enriched_at: ['leadership_at'],
  signals_enriched_at: ['signals_at'],
  retry_at: ['next_attempt_at'],
  history_at: ['last_event_at', 'last_history_at'],
}

/** The tables' fields, and the names that other hosts use or are likely to use for them. */
export const FIELD_NAMES: Readonly<Record<RecordKind, Names>> = {
  member: {
    domain: ['company_domain', 'domain_name', 'hostname'],
    source: ['tag', 'list_source', 'source_tag'],
    attributes: ['custom_fields', 'labels'],
    added_at: ['date_added', 'added_on', 'added', 'listed_at'],
  },
  company: COMPANY,
  person: {
    person_id: ['id', 'contact_id', 'uid'],
    email_hash: ['hash', 'email_sha256', 'mail_hash'],
    email: ['email_address', 'mail', 'work_email'],
    email_status: ['email_state'],
    email_confidence: ['email_score'],
    full_name: ['name', 'display_name'],
    first_name: ['given_name', 'forename'],
    last_name: ['family_name', 'surname'],
    title: ['job_title', 'position', 'role'],
    seniority: ['seniority_level', 'level'],
    department: ['team', 'division'],
    company_name: ['company', 'employer', 'organization'],
    phone: ['telephone', 'phone_number'],
    social_url: ['social', 'social_profile', 'profile_url'],
    enrichment_status: ['status', 'enrichment_state'],
    enriched_at: ['last_enriched_at', 'enriched_on', 'last_enriched', 'enrichment_date'],
  },
  signal: {
    type: ['signal_type', 'category', 'kind'],
    headline: ['title', 'summary', 'text'],
    published_on: ['date', 'published_at', 'published', 'publication_date'],
    url: ['link', 'article_url', 'source_url'],
    source: ['publisher', 'provider', 'outlet'],
    confidence: ['score', 'probability'],
    about: ['rationale'],
  },
  event: {
    id: ['event_id', 'change_id', 'uuid'],
    field: ['field_name', 'attribute', 'property', 'column', 'changed_field'],
    old_value: ['old', 'from', 'previous', 'previous_value', 'before', 'value_before', 'from_value', 'was'],
    new_value: ['new', 'to', 'current', 'current_value', 'after', 'value_after', 'to_value', 'value', 'is'],
    changed_at: [
      'timestamp',
      'occurred_at',
      'at',
      'changed_on',
      'change_time',
      'event_time',
      'time',
      'date',
      'created_at',
    ],
    source: ['origin', 'provider'],
    task_id: ['task', 'job_id'],
  },
  // Requests contain these field names, so a host's other names for them can be configured but not detected.
  firm: Object.fromEntries([...FIRM_FIELD_NAMES, 'as_of'].map((name) => [name, []])),
}

/**
 * Fields that talhouse sends but the tables omit, because the fields are nested, derived or stored with another record.
 */
const UNSTORED: Readonly<Record<RecordKind, readonly string[]>> = {
  member: [
    ...Object.entries(COMPANY).flatMap(([field, others]) => [field, ...others]),
    ...['formadv', 'leadership', 'signals', 'provenance', 'sources', 'updated_at'],
  ],
  company: [
    'source',
    'attributes',
    'added_at',
    'formadv',
    'leadership',
    'signals',
    'provenance',
    'sources',
    'updated_at',
  ],
  person: [
    ...['company_domain', 'contact', 'profile', 'formadv', 'in_formadv', 'history', 'provenance'],
    // These fields are sent only in the leadership list.
    ...['confidence', 'source', 'url', 'is_leader'],
  ],
  signal: ['first_seen_at'],
  event: ['entity', 'key', 'person_id', 'kind'],
  firm: ['items'],
}

/** Fields that are required to read a record. */
export const REQUIRED: Readonly<Partial<Record<RecordKind, readonly string[]>>> = {
  member: ['domain'],
  event: ['field', 'changed_at'],
}

const UNSTORED_NAMES = new Map(Object.entries(UNSTORED).map(([kind, names]) => [kind, new Set(names.map(plainName))]))

export const isUnstored = (kind: RecordKind, name: string): boolean =>
  UNSTORED_NAMES.get(kind)?.has(plainName(name)) === true

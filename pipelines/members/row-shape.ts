/**
 * Column types. `key` is text short enough for an index entry, `integer` has 32 bits, and `timestamp` has microsecond
 * precision.
 */
export type ColumnType = 'key' | 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp' | 'json'

/** A table of pulled records, with its key and its column types. */
export interface RowShape {
  table:
    | 'warehouse.tal_member'
    | 'warehouse.company'
    | 'warehouse.person'
    | 'warehouse.signal'
    | 'warehouse.company_provenance'
    | 'warehouse.person_provenance'
  key: Readonly<Record<string, 'text' | 'integer'>>
  columns: Readonly<Record<string, ColumnType>>
  /** Columns that must not be null. */
  required?: readonly string[]
  /** Whether the table has a `gone_at` column, which is cleared when the record returns. */
  hasGoneAt: boolean
}

export const MEMBER: RowShape = {
  table: 'warehouse.tal_member',
  key: { domain: 'text' },
  columns: { source: 'text', attributes: 'json', added_at: 'timestamp', extra: 'json' },
  hasGoneAt: true,
}

export const COMPANY: RowShape = {
  table: 'warehouse.company',
  key: { domain: 'text' },
  columns: {
    name: 'text',
    legal_name: 'text',
    description: 'text',
    industry: 'text',
    naics_code: 'text',
    naics_title: 'text',
    employee_count: 'integer',
    employee_range: 'text',
    headquarters_street: 'text',
    headquarters_city: 'text',
    headquarters_state: 'text',
    headquarters_postal_code: 'text',
    headquarters_country: 'text',
    phone: 'text',
    social_url: 'text',
    logo_url: 'text',
    founded_year: 'integer',
    in_formadv: 'boolean',
    enrichment_status: 'text',
    status_reason: 'text',
    enriched_at: 'timestamp',
    leadership_enriched_at: 'timestamp',
    signals_enriched_at: 'timestamp',
    retry_at: 'timestamp',
    history_at: 'timestamp',
    extra: 'json',
  },
  hasGoneAt: true,
}

export const PERSON: RowShape = {
  table: 'warehouse.person',
  key: { company_domain: 'text', person_key: 'text' },
  columns: {
    person_id: 'key',
    email_hash: 'key',
    email: 'text',
    email_status: 'text',
    email_confidence: 'number',
    full_name: 'text',
    first_name: 'text',
    last_name: 'text',
    title: 'text',
    seniority: 'text',
    department: 'text',
    company_name: 'text',
    phone: 'text',
    social_url: 'text',
    enrichment_status: 'text',
    enriched_at: 'timestamp',
    is_leader: 'boolean',
    extra: 'json',
  },
  hasGoneAt: false,
}

export const SIGNAL: RowShape = {
  table: 'warehouse.signal',
  key: { company_domain: 'text', signal_key: 'text' },
  columns: {
    type: 'text',
    headline: 'text',
    published_on: 'date',
    url: 'text',
    source: 'text',
    confidence: 'number',
    about: 'text',
    extra: 'json',
  },
  required: ['type'],
  hasGoneAt: false,
}

const EVIDENCE = {
  value: 'text',
  source: 'text',
  url: 'text',
  observed_at: 'timestamp',
  method: 'text',
  confidence: 'number',
  raw_value: 'text',
} as const

export const COMPANY_PROVENANCE: RowShape = {
  table: 'warehouse.company_provenance',
  key: { domain: 'text', field: 'text', position: 'integer' },
  columns: EVIDENCE,
  hasGoneAt: false,
}

export const PERSON_PROVENANCE: RowShape = {
  table: 'warehouse.person_provenance',
  key: { company_domain: 'text', person_key: 'text', field: 'text', position: 'integer' },
  columns: { person_id: 'key', email_hash: 'key', ...EVIDENCE },
  hasGoneAt: false,
}

export const SQL_TYPES: Record<ColumnType, string> = {
  key: 'text',
  text: 'text',
  integer: 'integer',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'jsonb',
}

/** What a column of a pulled record holds. Others are found by a `key`: it fits an index. `integer` has 32 bits; `moment` is a timestamp in ISO 8601, kept as text to the microsecond. */
export type ColumnType = 'key' | 'text' | 'integer' | 'number' | 'boolean' | 'day' | 'moment'

/** A table of pulled records: which columns make its key, and what the others hold. */
export interface RowShape {
  table: 'warehouse.tal_member' | 'warehouse.company' | 'warehouse.person' | 'warehouse.signal'
  key: Readonly<Record<string, 'text'>>
  columns: Readonly<Record<string, ColumnType>>
  /** Columns without which it says nothing. */
  required?: readonly string[]
  /** Has it a `gone_at`, taken back when the record is seen again? */
  goes: boolean
}

export const MEMBER: RowShape = {
  table: 'warehouse.tal_member',
  key: { domain: 'text' },
  columns: { source: 'text', added_at: 'moment' },
  goes: true,
}

export const COMPANY: RowShape = {
  table: 'warehouse.company',
  key: { domain: 'text' },
  columns: {
    name: 'text',
    legal_name: 'text',
    description: 'text',
    industry: 'text',
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
    enriched_at: 'moment',
    leadership_enriched_at: 'moment',
    signals_enriched_at: 'moment',
    retry_at: 'moment',
    history_at: 'moment',
  },
  goes: true,
}

export const PERSON: RowShape = {
  table: 'warehouse.person',
  key: { company_domain: 'text', person_key: 'text' },
  columns: {
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
    enriched_at: 'moment',
    is_leader: 'boolean',
  },
  goes: false,
}

export const SIGNAL: RowShape = {
  table: 'warehouse.signal',
  key: { company_domain: 'text', signal_key: 'text' },
  columns: {
    type: 'text',
    headline: 'text',
    published_on: 'day',
    url: 'text',
    source: 'text',
    confidence: 'number',
    about: 'text',
  },
  required: ['type'],
  goes: false,
}

export const SQL_TYPES: Record<ColumnType, string> = {
  key: 'text',
  text: 'text',
  integer: 'integer',
  number: 'double precision',
  boolean: 'boolean',
  day: 'date',
  moment: 'timestamptz',
}

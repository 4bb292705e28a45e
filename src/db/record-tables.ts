import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CompanyFields, SignalType } from '../contract/companies.ts'
import type { EmailStatus, Seniority } from '../contract/person-values.ts'

/** A timestamp in ISO 8601 and UTC with six decimal places. */
type Timestamp = string

/** A JSON column, selected as a value but written as JSON text, because the driver sends strings unchanged. */
type Json<Value> = ColumnType<Value, string, string>

export type EnrichmentStatus = 'none' | 'pending' | 'complete' | 'partial' | 'not_found' | 'failed'

export interface CompanyTable extends CompanyFields {
  domain: string
  former_names: Generated<string[] | null>
  in_formadv: Generated<boolean>
  crd_number: number | null
  is_public: Generated<boolean>
  enrichment_status: Generated<EnrichmentStatus>
  status_reason: string | null
  enriched_at: Timestamp | null
  leadership_enriched_at: Timestamp | null
  signals_enriched_at: Timestamp | null
  last_attempt_at: Timestamp | null
  failed_attempts: Generated<number>
  retry_at: Timestamp | null
  history_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  search_text: GeneratedAlways<string>
}

export interface CompanyViewerTable {
  client_id: string
  domain: string
}

export interface ProviderResultTable {
  domain: string
  provider: string
  groups: string[]
  status: 'found' | 'not_found' | 'unavailable' | 'refused'
  reason: string | null
  checked_at: Timestamp
  failures: Generated<number>
}

export interface ObservationTable {
  domain: string
  source: string
  field: string
  ordinal: number
  value: Json<string | number>
  raw: string | null
  url: string | null
  method: string
  confidence: number
  observed_at: Timestamp
  wins: boolean
  merged_confidence: number | null
}

export interface SignalTable {
  domain: string
  signal_id: string
  type: SignalType
  headline: string
  /** YYYY-MM-DD */
  date: string | null
  url: string | null
  about: string
  source: string
  method: string
  confidence: number
  observed_at: Timestamp
  first_seen_at: Generated<Timestamp>
}

export interface PersonTable {
  company_domain: string
  person_id: Generated<string>
  email_hash: string | null
  email_digest: string | null
  email: string | null
  email_status: EmailStatus | null
  email_confidence: number | null
  first_name: string | null
  last_name: string | null
  full_name: string
  name_key: string
  title: string | null
  seniority: Seniority | null
  department: string | null
  phone: string | null
  social_url: string | null
  profile_key: string | null
  leadership_rank: GeneratedAlways<number>
  in_formadv: Generated<boolean>
  enrichment_status: Generated<EnrichmentStatus>
  enriched_at: Timestamp | null
  last_seen_at: Timestamp
  left_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface PersonObservationTable {
  company_domain: string
  person_id: string
  source: string
  ordinal: number
  fields: Json<Record<string, string | number>>
  url: string | null
  method: string
  confidence: number
  observed_at: Timestamp
}

export interface PersonEmailTable {
  email_hash: string
  history_at: Timestamp | null
}

/** The kind of change to a field: first value, changed value, or removed value. */
export type HistoryEventKind = 'created' | 'updated' | 'removed'

export interface HistoryEventTable {
  domain: string
  id: GeneratedAlways<number>
  entity: 'company' | 'person'
  person_id: string | null
  email_hash: string | null
  kind: HistoryEventKind
  field: string
  old_value: ColumnType<string | number | boolean | null, string | null, never>
  new_value: ColumnType<string | number | boolean | null, string | null, never>
  changed_at: Timestamp
  source: string
  task_id: string | null
  tx: Generated<string>
}

export interface TalMemberTable {
  client_id: string
  domain: string
  source: string | null
  attributes: Generated<Record<string, string>>
  attribute_order: Generated<string[]>
  added_at: Generated<Timestamp>
  name: GeneratedAlways<string | null>
  employee_count: GeneratedAlways<number | null>
  enrichment_status: GeneratedAlways<string>
  enriched_at: GeneratedAlways<Timestamp | null>
  history_at: GeneratedAlways<Timestamp | null>
  search_text: GeneratedAlways<string>
}

export interface RecordCountTable {
  entity: 'company' | 'person'
  id: GeneratedAlways<number>
  total: number
  enriched: number
  from_formadv: number
}

/**
 * Companies, people, their history, and target account lists. The columns are documented in `sql/service/0003` to
 * `0007`.
 */
export interface RecordTables {
  company: CompanyTable
  company_viewer: CompanyViewerTable
  provider_result: ProviderResultTable
  observation: ObservationTable
  signal: SignalTable
  person: PersonTable
  person_observation: PersonObservationTable
  person_email: PersonEmailTable
  history_event: HistoryEventTable
  tal_member: TalMemberTable
  record_count: RecordCountTable
}

import type { ColumnType } from 'kysely'
import type { CompanyFields } from '../../src/contract/companies.ts'
import type { Firm } from '../../src/contract/firm-fields.ts'
import type {
  BudgetTable,
  Defaulted,
  ErasureFeedTable,
  ListEntryTable,
  ListPullTable,
  RangeStateTable,
  RawRecordTable,
  RunRequestTable,
  RunTable,
  Timestamp,
  WalkTable,
  WatermarkTable,
} from './sync-tables.ts'

export interface QuarantineTable {
  entity: string
  fingerprint: string
  key: string | null
  reason: string
  record: ColumnType<unknown, string, string>
  first_seen_at: Defaulted<Timestamp>
  last_seen_at: Defaulted<Timestamp>
  resolved_at: Timestamp | null
  run_id: number
}

type FirmColumns = { [Field in keyof Firm]: Field extends 'sec_number' ? string : Firm[Field] | null }

export interface FirmTable extends FirmColumns {
  /** CRD number, or the SEC number if the service does not return a CRD number. */
  firm_id: string
  as_of: string | null
  valid_from: Timestamp
  valid_to: Timestamp | null
  recorded_at: Defaulted<Timestamp>
  run_id: number
  first_seen_at: Defaulted<Timestamp>
  last_changed_at: Defaulted<Timestamp>
  gone_at: Timestamp | null
  row_hash: string
}

export interface FirmVersionView extends FirmColumns {
  firm_id: string
  as_of: string | null
  valid_from: Timestamp
  valid_to: Timestamp | null
  recorded_at: Timestamp
  superseded_at: Timestamp | null
  run_id: number
}

/** Columns in every table of pulled records, in addition to the records' values. */
interface Pulled {
  extra: unknown
  first_seen_at: Defaulted<Timestamp>
  last_changed_at: Defaulted<Timestamp>
  run_id: number
  row_hash: string
}

export interface TalMemberTable extends Pulled {
  domain: string
  source: string | null
  attributes: unknown
  added_at: Timestamp | null
  gone_at: Timestamp | null
}

export interface CompanyTable extends Pulled, CompanyFields {
  domain: string
  in_formadv: boolean | null
  enrichment_status: string | null
  status_reason: string | null
  enriched_at: Timestamp | null
  leadership_enriched_at: Timestamp | null
  signals_enriched_at: Timestamp | null
  retry_at: Timestamp | null
  history_at: Timestamp | null
  pending_since: Timestamp | null
  gone_at: Timestamp | null
}

export interface PersonTable extends Pulled {
  company_domain: string
  person_key: string
  person_id: string | null
  email_hash: string | null
  email: string | null
  email_status: string | null
  email_confidence: number | null
  full_name: string | null
  first_name: string | null
  last_name: string | null
  title: string | null
  seniority: string | null
  department: string | null
  company_name: string | null
  phone: string | null
  social_url: string | null
  enrichment_status: string | null
  enriched_at: Timestamp | null
  is_leader: boolean
}

/** Columns shared by all provenance tables. */
interface ProvenanceTable {
  field: string
  /** 0 for the winning source. */
  position: number
  value: string | null
  source: string | null
  url: string | null
  observed_at: Timestamp | null
  method: string | null
  confidence: number | null
  raw_value: string | null
  last_changed_at: Defaulted<Timestamp>
  run_id: number
  row_hash: string
}

export interface CompanyProvenanceTable extends ProvenanceTable {
  domain: string
}

export interface PersonProvenanceTable extends ProvenanceTable {
  company_domain: string
  person_key: string
  person_id: string | null
  email_hash: string | null
}

export interface FormerPersonTable {
  company_domain: string
  person_key: string
  person_id: string
  email_hash: string | null
  full_name: string | null
  title: string | null
  seniority: string | null
  department: string | null
  social_url: string | null
  is_leader: boolean
  first_seen_at: Timestamp
  gone_at: Defaulted<Timestamp>
  run_id: number
}

export interface SignalTable extends Pulled {
  company_domain: string
  signal_key: string
  type: string
  headline: string | null
  published_on: string | null
  url: string | null
  source: string | null
  confidence: number | null
  about: string | null
}

export interface HistoryEventTable {
  domain: string
  event_key: string
  entity: string
  key: string
  person_id: string | null
  kind: string | null
  field: string
  old_value: unknown
  new_value: unknown
  changed_at: Timestamp
  position: Defaulted<number>
  source: string | null
  task_id: string | null
  extra: unknown
  raw: unknown
  recorded_at: Defaulted<Timestamp>
  run_id: number
}

/** See `comment on column warehouse.submission.state`. */
export type SubmissionState = 'intent' | 'submitted' | 'completed' | 'failed' | 'refused' | 'void' | 'unknown'

export interface SubmissionTable {
  submission_key: string
  kind: 'list' | 'batch' | 'leadership' | 'signals'
  night: string
  domains: string[]
  stale_companies: Defaulted<number>
  max_age_days: number | null
  quoted_units: number
  state: Defaulted<SubmissionState>
  task_id: string | null
  units_charged: number | null
  units_refunded: number | null
  reason: string | null
  intended_at: Defaulted<Timestamp>
  submitted_at: Timestamp | null
  outcome_at: Timestamp | null
  run_id: number
}

export type FreshnessState = 'never' | 'stale' | 'due_soon' | 'fresh' | 'pending' | 'failing'

export interface LedgerLineTable {
  ledger_id: string
  entry_id: number
  item: number
  kind: string
  units: number
  task_id: string | null
  task_type: string | null
  entity: string | null
  domain: string | null
  groups: string[]
  reason: string | null
  created_at: Timestamp
  recorded_at: Defaulted<Timestamp>
  run_id: number
}

/** Every table in the warehouse database that the pipelines use. */
export interface WarehouseTables {
  'sync.run': RunTable
  'sync.run_request': RunRequestTable
  'sync.walk': WalkTable
  'sync.range_state': RangeStateTable
  'sync.walk_page': { walk_id: number; keys: string[]; firm_ids: string[]; unidentified_keys: string[] }
  'sync.watermark': WatermarkTable
  'sync.member_state': { domain: string; fingerprint: string | null; fetched_at: Defaulted<Timestamp>; run_id: number }
  'sync.list_pull': ListPullTable
  'sync.list_entry': ListEntryTable
  'sync.raw_record': RawRecordTable
  'sync.host_profile': { url: string; detected: unknown; overrides: unknown }
  'warehouse.schema_drift': { url: string; entity: string; field: string; type: string }
  'sync.budget': BudgetTable
  'sync.rate_budget': { name: string; next_at: Timestamp }
  'sync.erasure_feed': ErasureFeedTable
  'sync.suppressed_person': { mac: string; erasure_id: number; position: number }
  'warehouse.quarantine': QuarantineTable
  'warehouse.firm': FirmTable
  'warehouse.tal_member': TalMemberTable
  'warehouse.company': CompanyTable
  'warehouse.person': PersonTable
  'warehouse.signal': SignalTable
  'warehouse.history_event': HistoryEventTable
  'warehouse.company_provenance': CompanyProvenanceTable
  'warehouse.person_provenance': PersonProvenanceTable
  'warehouse.former_person': FormerPersonTable
  'warehouse.submission': SubmissionTable
  'warehouse.freshness_target': { source: string; max_age_days: number; due_soon_days: number }
  'warehouse.enrichment_group': { field_group: string; units: number }
  'warehouse.freshness_by_night': { night: string; state: FreshnessState; members: number; run_id: number }
  'warehouse.forecast_by_night': { made_on: string; night: string; units: number; run_id: number }
  'warehouse.ledger_line': LedgerLineTable
  'warehouse.firm_previous': FirmVersionView
  'warehouse.firm_version': FirmVersionView
}

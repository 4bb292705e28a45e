import { COMPANY_COLUMNS } from './company-columns.ts'
import type { Place, ViewPlace } from './place.ts'

/** Places in the warehouse and its snapshots. In snapshots, table names have no schema. */
export const WAREHOUSE_PLACES: readonly Place[] = [
  {
    table: 'warehouse.person',
    key: ['company_domain', 'person_key'],
    company: 'company_domain',
    owner: { person_id: 'person_id', email_hash: 'email_hash' },
    values: ['full_name', 'email', 'social_url'],
    removed: ['person_key', 'first_name', 'last_name', 'title', 'seniority', 'department', 'phone', 'extra'],
    removal: 'delete',
  },
  {
    table: 'warehouse.former_person',
    key: ['company_domain', 'person_key'],
    company: 'company_domain',
    owner: { person_id: 'person_id', email_hash: 'email_hash' },
    values: ['full_name', 'social_url'],
    removed: ['person_key', 'title', 'seniority', 'department'],
    removal: 'delete',
  },
  {
    table: 'warehouse.history_event',
    key: ['domain', 'entity', 'key', 'event_key'],
    company: 'domain',
    owner: { email_hash: 'key', person_id: 'person_id' },
    removed: ['old_value', 'new_value', 'extra', 'raw'],
    when: { entity: 'person' },
    removal: 'delete',
  },
  {
    table: 'warehouse.history_event',
    key: ['domain', 'entity', 'key', 'event_key'],
    company: 'domain',
    prose: ['old_value', 'new_value'],
    when: { entity: 'company', field: 'description' },
    removal: 'delete',
  },
  {
    table: 'warehouse.history_event',
    key: ['domain', 'entity', 'key', 'event_key'],
    company: 'domain',
    values: ['extra', 'raw'],
    removal: 'redact',
  },
  {
    table: 'warehouse.signal',
    key: ['company_domain', 'signal_key'],
    company: 'company_domain',
    values: ['extra'],
    prose: ['headline', 'about', 'url'],
    removal: 'delete',
  },
  {
    table: 'warehouse.company',
    key: ['domain'],
    company: 'domain',
    values: ['extra'],
    prose: ['description'],
    removal: 'redact',
  },
  {
    table: 'warehouse.company_provenance',
    key: ['domain', 'field', 'position'],
    company: 'domain',
    prose: ['value', 'raw_value'],
    when: { field: 'description' },
    removal: 'redact',
  },
  {
    table: 'warehouse.person_provenance',
    key: ['company_domain', 'person_key', 'field', 'position'],
    company: 'company_domain',
    owner: { person_id: 'person_id', email_hash: 'email_hash' },
    values: ['value', 'raw_value', 'url'],
    removed: ['person_key'],
    removal: 'delete',
  },
  {
    table: 'warehouse.quarantine',
    key: ['entity', 'fingerprint'],
    values: ['record'],
    prose: ['key', 'reason'],
    removal: 'delete',
  },
  {
    table: 'warehouse.tal_member',
    key: ['domain'],
    company: 'domain',
    values: ['attributes', 'extra'],
    prose: ['source'],
    removal: 'redact',
  },
  {
    table: 'sync.raw_record',
    key: ['domain', 'entity', 'position'],
    company: 'domain',
    values: ['record'],
    prose: ['persons_incomplete'],
    removal: 'delete',
  },
  // Triggers also update these rows when the underlying people and events are erased.
  {
    table: 'sync.person_change',
    key: ['domain', 'person_key', 'event_key'],
    company: 'domain',
    owner: { person_id: 'person_key', email_hash: 'person_key' },
    removed: ['title', 'old_title'],
    removal: 'delete',
  },
  { table: 'warehouse.submission', key: ['submission_key'], prose: ['reason'], removal: 'redact' },
  {
    table: 'sync.watermark',
    key: ['pipeline', 'subject'],
    prose: ['subject'],
    when: { pipeline: 'history' },
    removal: 'delete',
  },
  { table: 'sync.run', key: ['id'], prose: ['error_message', 'reasons'], removal: 'redact' },
  { table: 'sync.verification', key: ['id'], values: ['differences'], removal: 'redact' },
  { table: 'sync.check_result', key: ['name'], values: ['examples'], prose: ['error'], removal: 'redact' },
  { table: 'sync.backfill_part', key: ['backfill_id', 'number'], prose: ['error_message'], removal: 'redact' },
]

/**
 * Places in the views that a snapshot may contain. In the warehouse, views do not need places, because their rows are
 * derived from tables.
 */
export const VIEW_PLACES: readonly ViewPlace[] = [
  {
    table: 'warehouse.person_identity',
    company: 'company_domain',
    owner: { person_id: 'person_id', email_hash: 'person_key' },
    values: ['identity', 'full_name'],
    removal: 'delete',
  },
  {
    table: 'warehouse.leadership_change',
    company: 'domain',
    owner: { person_id: 'person_id', email_hash: 'person_key' },
    values: ['identity', 'full_name'],
    removal: 'delete',
  },
  {
    table: 'warehouse.person_career',
    company: 'domain',
    owner: { person_id: 'person_key', email_hash: 'person_key' },
    values: ['identity', 'full_name'],
    removal: 'delete',
  },
  { table: 'warehouse.account_mover', company: 'from_domain', values: ['identity', 'full_name'], removal: 'delete' },
  { table: 'warehouse.account_mover', company: 'to_domain', values: ['identity', 'full_name'], removal: 'delete' },
  {
    table: 'warehouse.person_evidence',
    company: 'domain',
    owner: { person_id: 'person_key', email_hash: 'person_key' },
    values: ['full_name', 'value', 'rival_value', 'url'],
    removal: 'delete',
  },
  {
    table: 'warehouse.company_evidence',
    company: 'domain',
    prose: ['value', 'rival_value'],
    when: { field: 'description' },
    removal: 'redact',
  },
  {
    table: 'warehouse.doubtful_value',
    company: 'domain',
    owner: { person_id: 'person_key', email_hash: 'person_key' },
    values: ['full_name', 'value', 'rival_value'],
    removal: 'delete',
  },
  {
    table: 'warehouse.doubtful_value',
    company: 'domain',
    prose: ['value', 'rival_value'],
    when: { field: 'description' },
    removal: 'redact',
  },
  { table: 'warehouse.signal_event', company: 'domain', prose: ['headline', 'url'], removal: 'delete' },
  { table: 'warehouse.tal_freshness', company: 'domain', prose: ['source'], removal: 'redact' },
  { table: 'warehouse.due_list', company: 'domain', prose: ['source'], removal: 'redact' },
  // A value can be JSON stored as text, so names are searched for within it.
  { table: 'warehouse.tal_attribute', company: 'domain', prose: ['value'], removal: 'redact' },
  { table: 'warehouse.attribute_summary', prose: ['value'], removal: 'redact' },
  { table: 'warehouse.run_status', prose: ['error_message', 'reasons'], removal: 'redact' },
]

/** Tables and views of the warehouse without personal data. */
export const IMPERSONAL_WAREHOUSE_TABLES: ReadonlySet<string> = new Set([
  ...['warehouse.firm', 'warehouse.firm_previous', 'warehouse.freshness_target', 'warehouse.enrichment_group'],
  ...['warehouse.schema_drift', 'warehouse.freshness_by_night', 'warehouse.forecast_by_night', 'warehouse.ledger_line'],
  ...['sync.host_profile', 'sync.audit_entry', 'sync.walk', 'sync.range_state', 'sync.walk_page', 'sync.rate_budget'],
  ...['sync.run_request', 'sync.analyst_login', 'sync.member_state', 'sync.backfill', 'sync.erasure_feed'],
  ...['sync.suppressed_person', 'sync.list_pull', 'sync.list_entry', 'kysely_migration', 'kysely_migration_lock'],
  ...['warehouse.firm_version', 'warehouse.assets_changed', 'warehouse.company_moved', 'warehouse.group_freshness'],
  ...['warehouse.units_forecast', 'warehouse.forecast_accuracy', 'warehouse.spending', 'warehouse.company_spending'],
  'warehouse.spending_by_kind',
])

/** Columns in these tables that never name a person: keys, states and company data. */
export const IMPERSONAL_WAREHOUSE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'sync.backfill_part': ['members', 'floor', 'below', 'state'],
  'sync.person_change': ['domain', 'event_key', 'kind', 'evidence', 'source', 'task_id'],
  'sync.raw_record': ['domain', 'entity'],
  'sync.check_result': ['name'],
  'sync.run': ['pipeline', 'requested_by', 'state', 'outcome', 'error_code', 'holder'],
  'sync.verification': ['dataset'],
  'sync.watermark': ['pipeline', 'value'],
  'warehouse.company': COMPANY_COLUMNS,
  'warehouse.former_person': ['company_domain'],
  'warehouse.company_provenance': ['domain', 'field', 'source', 'url', 'method', 'row_hash'],
  'warehouse.person_provenance': ['company_domain', 'field', 'source', 'method', 'row_hash'],
  'warehouse.history_event': ['domain', 'entity', 'kind', 'field', 'event_key', 'source', 'task_id'],
  'warehouse.person': ['company_domain', 'company_name', 'email_status', 'enrichment_status', 'row_hash'],
  'warehouse.quarantine': ['entity'],
  'warehouse.signal': ['company_domain', 'signal_key', 'type', 'source', 'row_hash'],
  'warehouse.submission': ['submission_key', 'kind', 'domains', 'state', 'task_id'],
  'warehouse.tal_member': ['domain', 'row_hash'],
}

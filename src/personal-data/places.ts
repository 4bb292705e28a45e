/**
 * A part of a database that contains personal data: the rows that may name a person, and how the person is removed from
 * them. The eraser, the dry run, the export, the warehouse's erasures pipeline and the tests all use the lists below.
 */
export interface Place {
  /** Table name, qualified with the schema for warehouse tables. */
  table: string
  /** Primary key columns. */
  key: readonly string[]
  /** SQL expression for the domain of the row's company. Without it, names match regardless of the company. */
  company?: string
  /** Columns that identify the person to whom a row belongs. */
  owner?: { person_id?: string; email_hash?: string }
  /** Text and JSON columns in which a whole string may be a person's name. */
  values?: readonly string[]
  /** Text and JSON columns whose sentences may mention a person. */
  prose?: readonly string[]
  /** Other columns with personal data, which are deleted with the row or set to null when it is redacted. */
  removed?: readonly string[]
  /** Limits the place to rows with these column values. */
  when?: Readonly<Record<string, string>>
  /** `delete` deletes the row, and `redact` replaces mentions of the person with `[erased]`. */
  removal: 'delete' | 'redact'
  /** Whether each row belongs to a single client. Such rows are not counted in responses to other clients. */
  isOfClient?: true
  /** Whether the rows are kept if `privacy.form_adv_names` is `keep`. */
  isFiling?: true
}

/**
 * Places in the service database, in the order in which workers lock them: a company's records, then task items, tasks
 * and webhooks.
 */
export const SERVICE_PLACES: readonly Place[] = [
  {
    table: 'person_observation',
    key: ['company_domain', 'person_id', 'source', 'ordinal'],
    company: 'company_domain',
    owner: { person_id: 'person_id' },
    removed: ['fields', 'url'],
    removal: 'delete',
  },
  {
    table: 'person',
    key: ['company_domain', 'person_id'],
    company: 'company_domain',
    owner: { person_id: 'person_id', email_hash: 'email_hash' },
    removed: [
      ...['email_digest', 'email', 'first_name', 'last_name', 'full_name', 'name_key', 'title', 'seniority'],
      ...['department', 'phone', 'social_url', 'profile_key'],
    ],
    removal: 'delete',
  },
  {
    table: 'history_event',
    key: ['domain', 'id'],
    company: 'domain',
    owner: { person_id: 'person_id', email_hash: 'email_hash' },
    removed: ['old_value', 'new_value'],
    removal: 'delete',
  },
  {
    table: 'history_event',
    key: ['domain', 'id'],
    company: 'domain',
    prose: ['old_value', 'new_value'],
    when: { entity: 'company', field: 'description' },
    removal: 'delete',
  },
  {
    table: 'person_email',
    key: ['email_hash'],
    owner: { email_hash: 'email_hash' },
    removal: 'delete',
  },
  {
    table: 'signal',
    key: ['domain', 'signal_id'],
    company: 'domain',
    prose: ['headline', 'about', 'url'],
    removal: 'delete',
  },
  {
    table: 'observation',
    key: ['domain', 'source', 'field', 'ordinal'],
    company: 'domain',
    prose: ['value', 'raw'],
    when: { field: 'description' },
    removal: 'redact',
  },
  { table: 'company', key: ['domain'], company: 'domain', prose: ['description'], removal: 'redact' },
  {
    table: 'firm_owner',
    key: ['crd_number', 'position'],
    company: `coalesce((select website_domain from firm where firm.crd_number = firm_owner.crd_number), '')`,
    values: ['full_legal_name'],
    removed: ['owner_id'],
    when: { owner_type: 'I' },
    removal: 'redact',
    isFiling: true,
  },
  {
    table: 'firm_change',
    key: ['crd_number', 'field', 'as_of', 'import_id'],
    company: `coalesce((select website_domain from firm where firm.crd_number = firm_change.crd_number), '')`,
    values: ['old_value', 'new_value'],
    when: { field: 'schedule_a_officers' },
    removal: 'redact',
    isFiling: true,
  },
  {
    table: 'task_item',
    key: ['client_id', 'task_id', 'item'],
    company: 'domain',
    values: ['input', 'output'],
    prose: ['reason'],
    removal: 'redact',
    isOfClient: true,
  },
  {
    table: 'task',
    key: ['client_id', 'task_id'],
    values: ['input'],
    prose: ['callback_url'],
    removal: 'redact',
    isOfClient: true,
  },
  {
    table: 'webhook_delivery',
    key: ['client_id', 'delivery_id'],
    prose: ['payload', 'url'],
    removal: 'redact',
    isOfClient: true,
  },
  {
    table: 'webhook_attempt',
    key: ['client_id', 'delivery_id', 'attempt_id'],
    prose: ['error'],
    removal: 'redact',
    isOfClient: true,
  },
  {
    table: 'webhook_disabled_url',
    key: ['client_id', 'url'],
    prose: ['url'],
    removal: 'delete',
    isOfClient: true,
  },
  {
    table: 'idempotent_response',
    key: ['client_id', 'key'],
    prose: ['key'],
    removal: 'delete',
    isOfClient: true,
  },
  {
    table: 'idempotent_response',
    key: ['client_id', 'key'],
    values: ['response'],
    removal: 'redact',
    isOfClient: true,
  },
  {
    table: 'tal_member',
    key: ['client_id', 'domain'],
    company: 'domain',
    values: ['attributes'],
    prose: ['source'],
    removal: 'redact',
    isOfClient: true,
  },
]

/** Places in the warehouse and its snapshots. Snapshots name tables without the schema. */
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
    removed: ['old_value', 'new_value', 'extra'],
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
  { table: 'sync.check_result', key: ['name'], values: ['examples'], removal: 'redact' },
  { table: 'sync.backfill_part', key: ['backfill_id', 'number'], prose: ['error_message'], removal: 'redact' },
]

/**
 * Tables without personal data of data subjects. `client`, `api_key` and the session tables describe customers, and the
 * `firm` tables describe firms.
 */
export const IMPERSONAL_TABLES: ReadonlySet<string> = new Set([
  ...['client', 'api_key', 'rate_window', 'company_viewer', 'provider_result', 'record_count', 'unit_account'],
  ...[
    'ledger_entry',
    'webhook_secret',
    'host_rate_limit',
    'robots_file',
    'audit_entry',
    'erasure',
    'suppressed_person',
  ],
  ...[
    'session',
    'sign_in_link',
    'privacy_key',
    'firm',
    'firm_import',
    'firm_quarantine',
    'firm_dataset',
    'firm_rank',
    'firm_summary',
    'firm_schedule_filing',
  ],
  ...['warehouse.firm', 'warehouse.firm_previous', 'warehouse.freshness_target', 'warehouse.enrichment_group'],
  ...[
    'warehouse.schema_drift',
    'sync.host_profile',
    'sync.audit_entry',
    'warehouse.freshness_by_night',
    'warehouse.forecast_by_night',
    'warehouse.ledger_line',
    'sync.walk',
    'sync.range_state',
    'sync.walk_page',
    'sync.rate_budget',
  ],
  ...[
    'sync.run_request',
    'sync.analyst_login',
    'sync.member_state',
    'sync.backfill',
    'sync.erasure_feed',
    'sync.suppressed_person',
  ],
  ...['kysely_migration', 'kysely_migration_lock'],
])

const COMPANY_COLUMNS = [
  ...[
    'domain',
    'name',
    'legal_name',
    'former_names',
    'industry',
    'employee_range',
    'phone',
    'social_url',
    'logo_url',
    'search_text',
  ],
  ...['headquarters_street', 'headquarters_city', 'headquarters_state', 'headquarters_postal_code'],
  ...['headquarters_country', 'enrichment_status', 'status_reason', 'row_hash'],
]

/** Columns of the places' tables that never name a person: keys, states and company data. */
export const IMPERSONAL_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  company: COMPANY_COLUMNS,
  firm_change: ['field'],
  firm_owner: ['schedule', 'owner_type', 'entity_in_which', 'ownership_code', 'status_acquired', 'title'],
  history_event: ['domain', 'entity', 'kind', 'field', 'source', 'task_id'],
  idempotent_response: ['client_id', 'request_hash'],
  observation: ['domain', 'field', 'method', 'source', 'url'],
  person: ['company_domain', 'email_status', 'enrichment_status'],
  person_observation: ['company_domain', 'method', 'source'],
  signal: ['domain', 'signal_id', 'type', 'method', 'source'],
  tal_member: ['client_id', 'domain'],
  task: ['client_id', 'task_type', 'state'],
  task_item: ['client_id', 'domain', 'entity', 'groups', 'state', 'outcome'],
  webhook_attempt: ['client_id'],
  webhook_delivery: ['client_id', 'state'],
  webhook_disabled_url: ['client_id'],
  'sync.backfill_part': ['members', 'floor', 'below', 'state'],
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

import type { ColumnType, Generated } from 'kysely'

/** ISO 8601 with microseconds. */
export type Timestamp = string
export type Defaulted<T> = Generated<T>

export type RunState = 'running' | 'completed' | 'failed' | 'interrupted' | 'abandoned'
export type RunOutcome = 'ok' | 'degraded' | 'failed'

/** The process that executes a run. */
export interface Holder {
  host: string
  pid: number
  /** PID namespace. Containers can have the same hostname but separate process IDs. */
  namespace: string
  /** Boot id and start time, which distinguish a process from a later process with the same process ID. */
  started: string
}

export interface RunTable {
  id: ColumnType<number, never, never>
  pipeline: string
  parent_id: number | null
  continues_id: number | null
  scheduled_for: Timestamp | null
  requested_by: string
  state: Defaulted<RunState>
  outcome: RunOutcome | null
  reasons: Defaulted<string[]>
  retryable: Defaulted<boolean>
  error_code: string | null
  error_message: string | null
  stop_requested_at: Timestamp | null
  holder: ColumnType<Holder, string, string>
  started_at: Defaulted<Timestamp>
  heartbeat_at: Defaulted<Timestamp>
  ended_at: Timestamp | null
  done: Defaulted<number>
  total: number | null
  inserted: Defaulted<number>
  updated: Defaulted<number>
  unchanged: Defaulted<number>
  gone: Defaulted<number>
  quarantined: Defaulted<number>
  requests: Defaulted<number>
  units: Defaulted<number>
}

export interface RunRequestTable {
  pipeline: string
  requested_at: Defaulted<Timestamp>
}

export interface WalkTable {
  id: ColumnType<number, never, never>
  stream: string
  run_id: number
  key_order: Defaulted<'bytes' | 'foreign'>
  ceiling: string | null
  total_at_start: number | null
  data_as_of: string | null
  data_version: string | null
  incomplete_reasons: Defaulted<string[]>
  keyless: Defaulted<number>
  ranges: Defaulted<number>
  started_at: Defaulted<Timestamp>
  closed_at: Timestamp | null
}

export interface RangeStateTable {
  walk_id: number
  number: number
  floor: string | null
  below: string | null
  revision: Defaulted<number>
  closed: Defaulted<boolean>
  pages: Defaulted<number>
  inserted: Defaulted<number>
  updated: Defaulted<number>
  unchanged: Defaulted<number>
  quarantined: Defaulted<number>
}

export interface WatermarkTable {
  pipeline: string
  subject: Defaulted<string>
  value: string
  run_id: number
  moved_at: Defaulted<Timestamp>
}

export interface ListPullTable {
  pipeline: string
  run_id: number
  url: string
  attempt: Defaulted<number>
  checkpoint: ColumnType<unknown, string | null, string | null>
  inserted: Defaulted<number>
  updated: Defaulted<number>
  unchanged: Defaulted<number>
  quarantined: Defaulted<number>
  started_at: Defaulted<Timestamp>
  closed_at: Timestamp | null
}

export interface ListEntryTable {
  pipeline: string
  domain: string
  attempt: number
  fingerprint: string | null
  is_full_pull_due: boolean
}

export interface RawRecordTable {
  domain: string
  entity: 'company' | 'person' | 'leader' | 'signal'
  position: number
  record: ColumnType<unknown, string, string>
  persons_incomplete: string | null
  received_at: Defaulted<Timestamp>
  run_id: number
}

export interface ErasureFeedTable {
  id: Defaulted<boolean>
  hmac_key: string
  position: number
  run_id: number
  moved_at: Defaulted<Timestamp>
}

/** The nightly budget that was set through the API: at most one row. */
export interface BudgetTable {
  id: Defaulted<boolean>
  units_per_night: number
  keep_units: number
  changed_at: Defaulted<Timestamp>
}

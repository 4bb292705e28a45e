import type { ColumnType, Generated } from 'kysely'
import type { Scope } from '../contract/scopes.ts'

/** A timestamp in ISO 8601 with six decimal places. */
type Timestamp = ColumnType<string, string | undefined, string>
type NullableTimestamp = ColumnType<string | null, string | null | undefined, string | null>

interface ClientTable {
  client_id: string
  name: string
  plan: Generated<string>
  units_per_period: Generated<number>
  /**
   * Period length, written as text such as `1 month`. Select `period::text`, because the driver parses intervals into
   * objects.
   */
  period: ColumnType<unknown, string | undefined, string>
  overage_allowed: Generated<boolean>
  reads_per_minute: Generated<number>
  submits_per_minute: Generated<number>
  trial_ends_at: NullableTimestamp
  created_at: Timestamp
}

interface ApiKeyTable {
  key_id: Generated<string>
  client_id: string
  label: Generated<string>
  key_hash: Buffer
  last_four: string
  scopes: ColumnType<Scope[], readonly Scope[] | undefined, readonly Scope[]>
  created_at: Timestamp
  expires_at: NullableTimestamp
  last_used_at: NullableTimestamp
  revoked_at: NullableTimestamp
}

export interface ClientTables {
  client: ClientTable
  api_key: ApiKeyTable
}

import type { Generated } from 'kysely'

export type LedgerKind = 'charge' | 'refund' | 'grant' | 'period_start'

/** Column comments: `sql/service/0008_units.sql`. */
export interface UnitTables {
  unit_account: {
    client_id: string
    balance: number
    granted: Generated<number>
    used_this_period: Generated<number>
    overage_allowed: Generated<boolean>
    period_started_at: string
    period_ends_at: string
    period: string
    period_anchor: string
  }
  ledger_entry: {
    client_id: string
    entry_id: Generated<number>
    kind: LedgerKind
    units: number
    balance_after: number
    task_id: string | null
    item: Generated<number>
    period_started_at: string
    reason: string | null
    created_at: Generated<string>
  }
  idempotent_response: {
    client_id: string
    key: string
    request_hash: Buffer
    response: unknown
    created_at: Generated<string>
  }
  quote: {
    client_id: string
    quote_id: string
    key_id: string | null
    request: unknown
    units: number
    response: unknown
    created_at: Generated<string>
    expires_at: string
  }
}

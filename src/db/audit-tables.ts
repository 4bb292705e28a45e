import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Column comments: `sql/service/0012_audit.sql`. */
export interface AuditTables {
  audit_entry: {
    entry_id: GeneratedAlways<number>
    at: Generated<string>
    actor: string
    key_id: string | null
    address: string | null
    action: string
    target: string
    result: string
    details: ColumnType<object, string, never>
  }
}

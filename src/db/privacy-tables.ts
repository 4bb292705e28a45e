import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface ErasureTable {
  erasure_id: GeneratedAlways<number>
  position: Generated<number>
  erased_at: Generated<string>
  lifted_at: string | null
  actor: string
  rows: ColumnType<Record<string, number>, string, never>
}

export interface SuppressedPersonTable {
  mac: string
  erasure_id: number
}

export interface PrivacyKeyTable {
  id: Generated<boolean>
  key: Generated<Buffer>
}

/** Erasures and the suppression list. Column comments: `sql/service/0014_privacy.sql`. */
export interface PrivacyTables {
  erasure: ErasureTable
  suppressed_person: SuppressedPersonTable
  privacy_key: PrivacyKeyTable
}

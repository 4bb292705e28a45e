import type { Generated } from 'kysely'
import type { Firm } from '../contract/firm-fields.ts'

/** One column per typed firm field, and the columns below. */
export interface FirmTable extends Firm {
  /** Remaining roster columns, by heading. */
  items: Record<string, string>
  former_names: Generated<string[] | null>
  as_of: string
  first_as_of: string
  first_import_id: string | null
  gone_as_of: string | null
  gone_at: string | null
}

export interface FirmImportTable {
  id: Generated<string>
  file: string
  sha256: string
  layout: string
  encoding: string
  firm_types: string[]
  as_of: string
  rows: number
  new: number
  returned: number
  changed: number
  unchanged: number
  gone: number
  gone_unconfirmed: number
  quarantined: number
  started_at: string
  finished_at: Generated<string>
}

export interface FirmChangeTable {
  crd_number: number
  as_of: string
  field: string
  old_value: unknown
  new_value: unknown
  import_id: string
}

export interface FirmQuarantineTable {
  import_id: string
  line: number
  file: string
  reason: string
  row: Record<string, string>
}

export interface FirmDatasetTable {
  id: Generated<boolean>
  version: number
  firms: number
  as_of: string | null
  marked_version: number | null
  revision: Generated<string>
}

export interface FirmRankTable {
  field: string
  firms_below: number
  sec_number: string
  crd_number: number
}

export interface FirmTables {
  firm: FirmTable
  firm_import: FirmImportTable
  firm_change: FirmChangeTable
  firm_quarantine: FirmQuarantineTable
  firm_dataset: FirmDatasetTable
  firm_rank: FirmRankTable
}

/**
 * Value of `firm_change.field` for officers on Schedule A. The old and new values are lists of `full_legal_name` and
 * `title`.
 */
export const OFFICERS_FIELD = 'schedule_a_officers'

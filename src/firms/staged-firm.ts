import type { FirmFieldName } from '../contract/firm-fields.ts'

export type StagedValue = string | number | boolean | readonly string[] | null | undefined

/** A row of a roster: a firm, or an invalid row with the reason. */
export interface StagedFirm {
  /** Line where the row starts, or its number in a feed. Unique per file. */
  line: number
  /** Why the row is quarantined; null for a valid one. */
  reason: string | null
  /** The original row without personal columns, for quarantine only. */
  row: Record<string, string> | null
  /** Typed fields. Invalid rows keep CRD and SEC number if readable, because they prove their firm's presence. */
  values: Partial<Record<FirmFieldName, StagedValue>>
  /** All other columns by heading; blank cells are left out. */
  items: Record<string, string>
}

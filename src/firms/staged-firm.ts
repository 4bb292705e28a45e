import type { FirmFieldName } from '../contract/firm-fields.ts'

export type StagedValue = string | number | boolean | readonly string[] | null | undefined

/** A roster row: a firm, or an invalid row with the reason. */
export interface StagedFirm {
  /** The line where the row starts, or the firm's number in a feed. Unique per file. */
  line: number
  /** Why the row is quarantined; null for valid rows. */
  reason: string | null
  /** The original row without personal columns, for quarantine only. */
  row: Record<string, string> | null
  /** Typed fields. Invalid rows keep readable CRD and SEC numbers, which show that the firm is still on the roster. */
  values: Partial<Record<FirmFieldName, StagedValue>>
  /** All other columns by heading, without blank cells. */
  items: Record<string, string>
}

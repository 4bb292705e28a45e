import type { FirmFieldName } from '../contract/firm-fields.ts'

export type StagedValue = string | number | boolean | readonly string[] | null | undefined

/** A parsed roster row: a firm, or an invalid row with its rejection reason. */
export interface StagedFirm {
  /** Number of the line where the row starts, or of the firm in a feed. Unique per file. */
  line: number
  /** Rejection reason; null for valid rows. */
  reason: string | null
  /** The original row without personal columns, for quarantine only. */
  row: Record<string, string> | null
  /**
   * Typed fields. An invalid row keeps its CRD and SEC numbers if they are readable, because they prove that the firm
   * is still on the roster.
   */
  values: Partial<Record<FirmFieldName, StagedValue>>
  /** Cells of all other columns by heading, without blank cells. */
  items: Record<string, string>
}

import type { FirmFieldName } from '../contract/firm-fields.ts'

export type StagedValue = string | number | boolean | readonly string[] | null | undefined

/** One row of a file on its way into the store: a firm, or a row that cannot be one and says why. */
export interface StagedFirm {
  /** Line on which the row starts, or its number in a feed. Unique in the file. */
  line: number
  /** Why the row goes to quarantine; null for a good one. */
  reason: string | null
  /** The row as it was found, without personal columns; only for quarantine. */
  row: Record<string, string> | null
  /** Typed fields. A bad row has `crd_number` and `sec_number` as far as they could be read: it speaks for its firm's presence. */
  values: Partial<Record<FirmFieldName, StagedValue>>
  /** Every other column, by its heading; blank cells left out. */
  items: Record<string, string>
}

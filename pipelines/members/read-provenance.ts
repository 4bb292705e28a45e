import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'

/** One source's value for a field, before validation. */
export interface SourceValue {
  field: string
  /** 0 for the winning source. */
  position: number
  record: Raw
}

/**
 * Reads a record's provenance: for each field, the winning source with the record's value, and the alternatives. Empty
 * if the record has no provenance.
 */
export function readProvenance(record: Raw): SourceValue[] {
  const { provenance } = record
  if (!isRaw(provenance)) return []
  return Object.entries(provenance).flatMap(([field, winner]) => {
    if (!isRaw(winner)) return []
    const { alternatives } = winner
    const others = Array.isArray(alternatives) ? alternatives.filter(isRaw) : []
    return [{ ...winner, value: record[field] }, ...others].map((source: Raw, position) => ({
      field,
      position,
      record: { ...source, value: asText(source['value']), raw_value: source['raw'] },
    }))
  })
}

const asText = (value: unknown): unknown =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null) ? JSON.stringify(value) : value

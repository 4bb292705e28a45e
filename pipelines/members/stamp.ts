import type { Raw } from './read-row.ts'

/** What moves when a member's record, its people or its news do. */
const MOVES = [
  'history_at',
  'updated_at',
  'enriched_at',
  'leadership_enriched_at',
  'signals_enriched_at',
  'enrichment_status',
  'retry_at',
  'in_formadv',
]

/**
 * The state of a member's record as the list tells it; null where the list does not tell when the record last moved. The
 * interface promises only `domain` there, so a null stamp means: fetch it every time.
 */
export function stampOf(entry: Raw): string | null {
  if (!('history_at' in entry)) return null
  return JSON.stringify(MOVES.map((name) => entry[name] ?? null))
}

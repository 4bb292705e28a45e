import { hash } from 'node:crypto'
import type { Raw } from './read-row.ts'

/**
 * The state of a member's record as the list tells it: a digest of its whole entry, in which `history_at` moves with its people too. Null
 * where the list does not tell when the record last moved: the interface promises only `domain` there, so a null fingerprint means: fetch it
 * every time.
 */
export function fingerprintOf(entry: Raw): string | null {
  return 'history_at' in entry ? hash('md5', JSON.stringify(entry)) : null
}

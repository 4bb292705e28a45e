import { hash } from 'node:crypto'
import type { ListEntry } from './pull-list.ts'

/**
 * Digest of a list entry. The digest changes with the record and its people, because `history_at` covers both. Null if
 * the entry has no `history_at` (the interface guarantees only `domain`), in which case the record is fetched every
 * time.
 */
export function fingerprintOf({ company, raw }: ListEntry): string | null {
  return 'history_at' in company ? hash('md5', JSON.stringify(raw)) : null
}

import { hash } from 'node:crypto'
import type { ListEntry } from './pull-list.ts'

/**
 * A hash of a list entry, which includes `history_at` and therefore changes when the company or its people change. Null
 * if the entry has no `history_at`, in which case every pull fetches the record. The interface guarantees only
 * `domain`.
 */
export function fingerprintOf({ company, raw }: ListEntry): string | null {
  return 'history_at' in company ? hash('md5', JSON.stringify(raw)) : null
}

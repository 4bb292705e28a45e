import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { isInSlice } from '../compare/slice.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { ListPage } from './pull-list.ts'
import type { RawMember } from './raw-member.ts'
import type { Row } from './read-row.ts'
import { isRejectedRecord, readRow } from './read-row.ts'
import { COMPANY } from './row-shape.ts'

/** A member whose record the pull fetches. `fingerprint` is computed from its list entry. */
export interface DueRecord {
  domain: string
  fingerprint: string | null
}

/** The records to fetch and write for one page of the list. */
export interface DueRecords {
  fetch: DueRecord[]
  /**
   * New records that have never been enriched. These records need no request, because the list entry contains all their
   * values.
   */
  untouched: (DueRecord & { row: Row; raw: RawMember })[]
}

/**
 * Selects the page's records to fetch: new and changed records, records without a fingerprint, and records due for a
 * periodic full pull, which also finds changes that do not affect the fingerprint.
 */
export async function selectDue(
  db: Kysely<WarehouseTables>,
  { entries }: ListPage,
  now: Date,
  fullPullDays: number,
): Promise<DueRecords> {
  const known = await readStates(db, [...entries.keys()])
  const due: DueRecords = { fetch: [], untouched: [] }
  for (const [domain, entry] of entries) {
    const fingerprint = fingerprintOf(entry)
    const state = known.get(domain)
    const row = !state && isUntouched(entry.company) ? readRow(COMPANY, { domain }, entry.company) : undefined
    if (row && !isRejectedRecord(row)) {
      const raw = { domain, company: entry.raw, persons: [], personsIncomplete: undefined }
      due.untouched.push({ domain, fingerprint, row, raw })
    } else if (
      !state ||
      fingerprint === null ||
      state.fingerprint !== fingerprint ||
      isFullPullDue(domain, state.fetched_at, now, fullPullDays)
    )
      due.fetch.push({ domain, fingerprint })
  }
  return due
}

async function readStates(db: Kysely<WarehouseTables>, domains: string[]) {
  const states = await db
    .selectFrom('sync.member_state')
    .select(['domain', 'fingerprint', 'fetched_at'])
    .where('domain', '=', sql<string>`any(${domains}::text[])`)
    .execute()
  return new Map(states.map((state) => [state.domain, state]))
}

/** Whether the record has never been enriched. False if the host omits any of the timestamps. */
const isUntouched = (company: Raw): boolean =>
  company['enrichment_status'] === 'none' &&
  ['history_at', 'enriched_at', 'leadership_enriched_at', 'signals_enriched_at'].every((name) => company[name] === null)

const DAY_MS = 86_400_000

/**
 * Whether a member's periodic full pull is due. A hash of the domain assigns the member to one of `days` nights. If
 * that night was missed, the pull is due once the record is `2 * days` old.
 */
export function isFullPullDue(domain: string, fetchedAt: string, now: Date, days: number): boolean {
  // The additional half day tolerates nightly runs that start early.
  const age = (now.getTime() - Date.parse(fetchedAt)) / DAY_MS + 0.5
  if (age < days) return false
  return age >= 2 * days || isInSlice(domain, { number: Math.floor(now.getTime() / DAY_MS) % days, of: days })
}

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { ListPage } from './pull-list.ts'
import type { Raw, Row } from './read-row.ts'
import { isRejectedRecord, readRow } from './read-row.ts'
import { COMPANY } from './row-shape.ts'

/** A member whose record has to be fetched, and what the list said of it. */
export interface DueRecord {
  domain: string
  fingerprint: string | null
}

/** What a page of the list asks for. */
export interface DueOfPage {
  fetch: DueRecord[]
  /** Records that have never changed and were never taken in: the list's entry is all there is, and here is its row. */
  untouched: (DueRecord & { row: Row })[]
}

/**
 * Sorts out a page: records that moved since they were taken in, those whose turn it is to be read although nothing is said to have
 * moved (a list's word is not proof), and those that need no request.
 */
export async function dueOfPage(
  db: Kysely<WarehouseTables>,
  { entries }: ListPage,
  now: Date,
  fullPullDays: number,
): Promise<DueOfPage> {
  const known = await readStates(db, [...entries.keys()])
  const due: DueOfPage = { fetch: [], untouched: [] }
  for (const [domain, entry] of entries) {
    const fingerprint = fingerprintOf(entry)
    const state = known.get(domain)
    const row = !state && isUntouched(entry) ? readRow(COMPANY, { domain }, entry) : undefined
    if (row && !isRejectedRecord(row)) due.untouched.push({ domain, fingerprint, row })
    else if (
      !state ||
      fingerprint === null ||
      state.fingerprint !== fingerprint ||
      isTurn(domain, state.fetched_at, now, fullPullDays)
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

/** Has nobody ever looked for anything about it? Only a host that tells all of these can say so. */
const isUntouched = (entry: Raw): boolean =>
  entry['enrichment_status'] === 'none' &&
  ['history_at', 'enriched_at', 'leadership_enriched_at', 'signals_enriched_at'].every((name) => entry[name] === null)

const DAY_MS = 86_400_000

/**
 * Each member has a night of its own in every `days`, so that a list that was taken in at once is not read again at once. One whose night
 * was missed is read when it is twice as old.
 */
export function isTurn(domain: string, fetchedAt: string, now: Date, days: number): boolean {
  // Nights do not begin at the very same moment.
  const age = (now.getTime() - Date.parse(fetchedAt)) / DAY_MS + 0.5
  if (age < days) return false
  const place = Number.parseInt(hash('md5', domain).slice(0, 8), 16) % days
  return age >= 2 * days || place === Math.floor(now.getTime() / DAY_MS) % days
}

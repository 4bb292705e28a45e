import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { isInSlice } from '../compare/slice.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { ListPull } from './list-pulls.ts'

type Db = Kysely<WarehouseTables>

/** A member whose record the pull fetches. `fingerprint` is computed from its list entry. */
export interface DueRecord {
  domain: string
  fingerprint: string | null
}

/** Selects the members received in the last attempt, or in any attempt if the list may be incomplete. */
export interface DueSelection {
  pull: ListPull
  isComplete: boolean
}

/** Number of due members read at once. */
const BATCH = 1000

/**
 * Reads, in batches, the members whose records are fetched: new and changed records, records without a fingerprint, and
 * records due for a periodic full pull, which also finds changes that do not affect the fingerprint. Skips members that
 * left the list between two attempts.
 */
export async function* dueRecords(db: Db, selection: DueSelection): AsyncGenerator<DueRecord, void, undefined> {
  for (let after = ''; ; ) {
    const { rows } = await sql<DueRecord>`
      select domain, fingerprint ${due(selection)} and domain > ${after} order by domain limit ${BATCH}`.execute(db)
    yield* rows
    if (rows.length < BATCH) return
    after = (rows.at(-1) as DueRecord).domain
  }
}

/** Number of members whose records are fetched. */
export async function countDue(db: Db, selection: DueSelection): Promise<number> {
  const { rows } = await sql<{ due: number }>`select count(*)::integer as due ${due(selection)}`.execute(db)
  return rows[0]?.due ?? 0
}

const due = ({ pull: { pipeline, attempt }, isComplete }: DueSelection) => sql`
  from sync.list_entry entry
  where pipeline = ${pipeline} ${isComplete ? sql`and attempt = ${attempt}` : sql``}
    and (is_full_pull_due or not exists (
      select from sync.member_state state where state.domain = entry.domain and state.fingerprint = entry.fingerprint))`

const DAY_MS = 86_400_000

/**
 * Whether a member's periodic full pull is due. A hash of the domain assigns the member to one of `days` nights. If
 * that night was missed, the pull is due once the record is `2 * days` old. Not due if the record has never been
 * fetched.
 */
export function isFullPullDue(domain: string, fetchedAt: string | undefined, now: Date, days: number): boolean {
  if (fetchedAt === undefined) return false
  // The additional half day tolerates nightly runs that start early.
  const age = (now.getTime() - Date.parse(fetchedAt)) / DAY_MS + 0.5
  if (age < days) return false
  return age >= 2 * days || isInSlice(domain, { number: Math.floor(now.getTime() / DAY_MS) % days, of: days })
}

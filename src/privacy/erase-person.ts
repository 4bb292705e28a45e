import { sql } from 'kysely'
import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Db } from '../db/database.ts'
import type { Matcher } from '../personal-data/matcher.ts'
import { createMatcher } from '../personal-data/matcher.ts'
import type { Place } from '../personal-data/place.ts'
import { eraseRows, findRows } from '../personal-data/rows-in-places.ts'
import { SERVICE_PLACES } from '../personal-data/service-places.ts'
import { lockAddresses } from '../persons/person-addresses.ts'
import { countRecords } from '../stats/record-counts.ts'
import { recordErasure } from './erasures.ts'
import type { FoundSubject } from './find-subject.ts'
import { findSubject } from './find-subject.ts'
import type { PersonDescription } from './person-description.ts'

/** The number of rows in one table that name the person. */
export interface ErasedRows {
  table: string
  rows: number
  removal: Place['removal']
  /** True if each row belongs to a single client. API responses exclude these rows from the counts. */
  isOfClient: boolean
}

/** The rows that an erasure removed or would remove. An unknown person has no rows but is also suppressed. */
export interface ErasureReport {
  /** ID of the erasure; null for a dry run. */
  erasure_id: number | null
  /** Hash of the requested address, or of a stored address of the person; null if no address is known. */
  emailHash: string | null
  places: ErasedRows[]
}

export interface ErasureOptions {
  actor: Actor
  /** Determines whether names in Form ADV schedules are kept or dropped. @default drop */
  formAdvNames?: 'keep' | 'drop' | undefined
  /**
   * Called with the person's unhashed identifiers before the rows are removed, so that copies outside the database can
   * be searched.
   */
  onFound?: (matcher: Matcher) => void
}

/**
 * Erases a person: removes the person from all rows in `SERVICE_PLACES`. Adds keyed hashes to the suppression list, so
 * that the person is never stored again. Throws `not_found` for an unknown `person_id`.
 */
export async function erasePerson(
  db: Db,
  description: PersonDescription,
  options: ErasureOptions,
): Promise<ErasureReport> {
  for (;;) {
    const report = await db.transaction().execute((trx) => erase(trx, description, options))
    // If another company or address of the person was stored before the locks were acquired, retry with that record.
    if (report) return report
  }
}

/** Reports what `erasePerson` would remove. */
export async function previewErasure(
  db: Db,
  description: PersonDescription,
  { actor, formAdvNames = 'drop', onFound }: ErasureOptions,
): Promise<ErasureReport> {
  return await db.transaction().execute(async (trx) => {
    const matcher = createMatcher((await findSubject(trx, description)).subject)
    onFound?.(matcher)
    const places: ErasedRows[] = []
    for (const place of placesOf(formAdvNames)) {
      let rows = 0
      for await (const found of findRows(trx, place, matcher)) rows += found.length
      addRows(places, place, rows)
    }
    await recordAudit(trx, actor, { action: 'person.erase_dry_run', target: 'person', details: countsOf(places) })
    return { erasure_id: null, emailHash: firstHash(matcher), places }
  })
}

/** Returns undefined without making changes if the person has a company or address that is not locked. */
async function erase(
  trx: Db,
  description: PersonDescription,
  { actor, formAdvNames = 'drop', onFound }: ErasureOptions,
): Promise<ErasureReport | undefined> {
  const before = (await findSubject(trx, description)).subject
  const domains = [...before.names.keys()]
  await sql`select from company where domain = any(${domains}::text[]) order by domain for update`.execute(trx)
  await lockAddresses(trx, before.emailHashes)
  const found = await findSubject(trx, description)
  const isLocked =
    new Set(found.subject.names.keys()).isSubsetOf(new Set(domains)) &&
    found.subject.emailHashes.isSubsetOf(before.emailHashes)
  if (!isLocked) return undefined

  const matcher = createMatcher(found.subject)
  onFound?.(matcher)
  const places: ErasedRows[] = []
  for (const place of placesOf(formAdvNames)) addRows(places, place, await eraseRows(trx, place, matcher))
  // An erasure is not recorded as an event, so the timestamp is updated explicitly to refresh copies of the companies.
  await sql`update company set updated_at = clock_timestamp() where domain = any(${domains}::text[])`.execute(trx)
  await countErased(trx, found)
  const rows = countsOf(places)
  const erasureId = await recordErasure(trx, found.subject, { actor, rows })
  await recordAudit(trx, actor, { action: 'person.erase', target: `erasure:${erasureId}`, details: rows })
  return { erasure_id: erasureId, emailHash: firstHash(matcher), places }
}

const firstHash = ({ subject: { emailHashes } }: Matcher): string | null => [...emailHashes][0] ?? null

const placesOf = (formAdvNames: 'keep' | 'drop'): Place[] =>
  SERVICE_PLACES.filter(({ isFiling }) => formAdvNames === 'drop' || !isFiling)

/** Adds a place's row count. Places in the same table are counted together. */
function addRows(places: ErasedRows[], place: Place, rows: number): void {
  const { table, removal } = place
  const known = places.find((one) => one.table === table && one.removal === removal)
  if (known) known.rows += rows
  else if (rows > 0) places.push({ table, rows, removal, isOfClient: place.isOfClient ?? false })
}

const countsOf = (places: readonly ErasedRows[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { table, rows } of places) counts[table] = (counts[table] ?? 0) + rows
  return counts
}

async function countErased(trx: Db, { people }: FoundSubject): Promise<void> {
  await countRecords(trx, 'person', {
    total: -people.length,
    enriched: -people.filter(({ enriched_at }) => enriched_at !== null).length,
    from_formadv: -people.filter(({ in_formadv }) => in_formadv).length,
  })
}

import { randomUUID } from 'node:crypto'
import type { Db } from '../db/database.ts'
import type { PersonObservation } from '../findings/provider.ts'
import type { Change } from '../history/history-events.ts'
import { countRecords } from '../stats/record-counts.ts'
import { composePerson, departPerson } from './compose-person.ts'
import { hashEmail } from './email-hash.ts'
import { matchPeople } from './match-people.ts'
import { lockAddresses } from './person-addresses.ts'
import { personChanges } from './person-changes.ts'
import type { PersonRow } from './person-rows.ts'
import { readPeople, readSightings, replaceSightings, upsertPeople } from './person-rows.ts'
import { withoutSuppressed } from './suppression-list.ts'

/** How the sources of people spoke this time. */
export interface PeopleAnswers {
  /** Sources that answered: what they no longer show is gone. */
  answered: ReadonlySet<string>
  /** Of these, the ones that showed everybody they have: whom they leave out is no longer there. */
  complete: ReadonlySet<string>
  /** Sources that were not asked, and whose last answer is still good. */
  current: ReadonlySet<string>
  /** ISO 8601: when it was recorded. */
  now: string
}

export interface RecordedPeople {
  changes: Change[]
  /** The addresses concerned, each with the moment of its newest event: held until the transaction ends. */
  addresses: Map<string, string | null>
  /** People whose record is new or changed. */
  changed: number
  /** Does any source that can be believed show anybody now? */
  found: boolean
}

/** Stores the people seen at a company, which the caller holds: tells who is who, keeps every source's word, and who left. */
export async function recordPeople(
  trx: Db,
  domain: string,
  observed: readonly PersonObservation[],
  answers: PeopleAnswers,
): Promise<RecordedPeople> {
  const rows = await readPeople(trx, domain)
  const kept = await readSightings(trx, domain)
  const hashes = [...observed.flatMap(({ email }) => (email ? [hashEmail(email).hash] : [])), ...knownHashes(rows)]
  const addresses = await lockAddresses(trx, hashes)
  const people = await withoutSuppressed(trx, domain, observed)

  const changes: Change[] = []
  const written: PersonRow[] = []
  const sightings = new Map<string, PersonObservation[]>()
  let changed = 0
  for (const { known, seen } of matchPeople(rows, people)) {
    const before = known ? (kept.get(known.person_id) ?? []) : []
    const says = new Set(seen.map(({ source }) => source))
    const retained = before.filter(({ source }) => !answers.answered.has(source) && !says.has(source))
    const now = [...retained, ...seen]
    const after =
      now.length > 0 && (seen.length > 0 || retained.length < before.length)
        ? composePerson(known, now, {
            domain,
            person_id: known?.person_id ?? randomUUID(),
            at: answers.now,
            seen: seen.length > 0,
          })
        : known && before.length > 0 && now.length === 0 && before.every(({ source }) => answers.complete.has(source))
          ? departPerson(known, answers.now)
          : known
    if (!after || after === known) continue
    const fields = personChanges(known, after, { before, now })
    changes.push(...fields)
    if (fields.length > 0) changed += 1
    if (now.length > 0) sightings.set(after.person_id, now)
    written.push(after)
  }
  await upsertPeople(trx, written)
  await replaceSightings(trx, domain, sightings)
  await reassignEvents(trx, domain, rows, written, addresses)
  await countRecords(trx, 'person', countOf(rows, written))
  const hasCurrent = people.length > 0 || [...kept.values()].flat().some(({ source }) => answers.current.has(source))
  return { changes, addresses, changed, found: hasCurrent }
}

const knownHashes = (rows: readonly PersonRow[]): string[] =>
  rows.flatMap(({ email_hash }) => (email_hash === null ? [] : [email_hash]))

function countOf(before: readonly PersonRow[], written: readonly PersonRow[]) {
  const known = new Map(before.map((row) => [row.person_id, row]))
  const rise = (is: (row: PersonRow) => boolean): number =>
    written.reduce((sum, row) => {
      const old = known.get(row.person_id)
      return sum + Number(is(row)) - Number(old !== undefined && is(old))
    }, 0)
  return {
    total: rise(() => true),
    enriched: rise(({ enriched_at }) => enriched_at !== null),
    from_formadv: rise(({ in_formadv }) => in_formadv),
  }
}

/**
 * A person's address came to be known: the earlier events are found under it from now on. Only where no event ever stood under that
 * address, so that nothing appears below a point that a reader of it has passed.
 */
async function reassignEvents(
  trx: Db,
  domain: string,
  before: readonly PersonRow[],
  written: readonly PersonRow[],
  addresses: ReadonlyMap<string, string | null>,
): Promise<void> {
  const known = new Map(before.map((row) => [row.person_id, row]))
  for (const { person_id, email_hash } of written) {
    const old = known.get(person_id)
    if (!old || email_hash === null || old.email_hash === email_hash || addresses.get(email_hash) != null) continue
    await trx
      .updateTable('history_event')
      .set({ email_hash })
      .where('domain', '=', domain)
      .where('person_id', '=', person_id)
      .execute()
  }
}

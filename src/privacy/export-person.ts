import type { Actor } from '../audit/audit-log.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Db } from '../db/database.ts'
import type { Row } from '../personal-data/judge-row.ts'
import type { Matcher } from '../personal-data/matcher.ts'
import { createMatcher } from '../personal-data/matcher.ts'
import { readPlaces } from '../personal-data/rows-in-places.ts'
import { SERVICE_PLACES } from '../personal-data/service-places.ts'
import { findSubject } from './find-subject.ts'
import type { PersonDescription } from './person-description.ts'

/** All data that the service stores about a person: rows by table. */
export interface ExportedPerson {
  matcher: Matcher
  rows: Record<string, Row[]>
}

/** Exports the service's data about a person. Throws `not_found` for an unknown `person_id`. */
export async function exportPerson(db: Db, description: PersonDescription, actor: Actor): Promise<ExportedPerson> {
  return await db.transaction().execute(async (trx) => {
    const matcher = createMatcher((await findSubject(trx, description)).subject)
    const rows = await readPlaces(trx, SERVICE_PLACES, matcher)
    const details = Object.fromEntries(Object.entries(rows).map(([table, found]) => [table, found.length]))
    await recordAudit(trx, actor, { action: 'person.export', target: 'person', details })
    return { matcher, rows }
  })
}

import { sql } from 'kysely'
import type { CompanyPersons, PersonGroup } from '../contract/persons.ts'
import type { Db } from '../db/database.ts'
import { prepared } from '../lib/prepared-statements.ts'
import { readPersonGroups } from './person-groups.ts'
import { readProvenanceOf } from './person-provenance.ts'
import type { PersonRecord } from './person-records.ts'
import { personRecords, toPerson } from './person-records.ts'

/** Reads the current people at a company, most senior first. */
export async function readCompanyPersons(
  db: Db,
  domain: string,
  {
    groups,
    provenance,
    limit,
    offset,
  }: { groups: ReadonlySet<PersonGroup>; provenance: boolean; limit: number; offset: number },
): Promise<CompanyPersons> {
  const current = personRecords(db)
    .where('person.company_domain', '=', domain)
    .where('person.left_at', 'is', null)
    .orderBy('person.leadership_rank')
    .orderBy(sql`person.email is null`)
    .orderBy('person.full_name')
    .orderBy('person.person_id')
    .limit(limit)
    .offset(offset)
  const { rows: records } = await sql<PersonRecord>`${prepared}${current}`.execute(db)
  const isLast = records.length < limit && (records.length > 0 || offset === 0)
  const total = isLast ? offset + records.length : await countCurrent(db, domain)
  const [added, evidence] = await Promise.all([
    readPersonGroups(db, records, groups),
    provenance
      ? readProvenanceOf(
          db,
          domain,
          records.map(({ person_id }) => person_id),
        )
      : undefined,
  ])
  const persons = records.map((record, place) => ({
    ...toPerson(record),
    ...added[place],
    ...(evidence && { provenance: evidence.get(record.person_id) ?? {} }),
  }))
  return { persons, total, limit, offset }
}

async function countCurrent(db: Db, domain: string): Promise<number> {
  const { total } = await db
    .selectFrom('person')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('company_domain', '=', domain)
    .where('left_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

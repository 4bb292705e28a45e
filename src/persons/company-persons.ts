import { sql } from 'kysely'
import type { CompanyPersons, PersonGroup } from '../contract/persons.ts'
import type { Db } from '../db/database.ts'
import { readPersonGroups } from './person-groups.ts'
import { readProvenanceOf } from './person-provenance.ts'
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
  const [records, { total }] = await Promise.all([
    personRecords(db)
      .where('person.company_domain', '=', domain)
      .where('person.left_at', 'is', null)
      .orderBy('person.leadership_rank')
      .orderBy(sql`person.email is null`)
      .orderBy('person.full_name')
      .orderBy('person.person_id')
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom('person')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('company_domain', '=', domain)
      .where('left_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
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

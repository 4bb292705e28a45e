import type { RawBuilder } from 'kysely'
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
  const current = currentPersons(db, sql<string>`${domain}`).limit(limit).offset(offset)
  const { rows: records } = await sql<PersonRecord>`${prepared}${current}`.execute(db)
  const isLast = records.length < limit && (records.length > 0 || offset === 0)
  const total = isLast ? offset + records.length : ((await countCurrent(db, [domain])).get(domain) ?? 0)
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

/**
 * Reads the first current people at each company, most senior first, keyed by domain. Companies without people are
 * absent.
 */
export async function readPersonsOfCompanies(
  db: Db,
  domains: readonly string[],
  groups: ReadonlySet<PersonGroup>,
  limit: number,
): Promise<Map<string, Pick<CompanyPersons, 'persons' | 'total'>>> {
  const current = currentPersons(db, sql.ref<string>('given.domain')).limit(limit)
  const { rows: records } = await sql<PersonRecord>`${prepared}
    select found.* from unnest(${[...domains]}::text[]) as given (domain) cross join lateral (${current}) found`.execute(
    db,
  )
  const added = await readPersonGroups(db, records, groups)
  const persons = records.map((record, place) => ({ ...toPerson(record), ...added[place] }))
  const grouped = [...Map.groupBy(persons, ({ company_domain }) => company_domain)]
  const totals = await countCurrent(
    db,
    grouped.flatMap(([domain, all]) => (all.length < limit ? [] : [domain])),
  )
  return new Map(grouped.map(([domain, all]) => [domain, { persons: all, total: totals.get(domain) ?? all.length }]))
}

/** Query for the current people at a company, most senior first. */
const currentPersons = (db: Db, domain: RawBuilder<string>) =>
  personRecords(db)
    .where('person.company_domain', '=', domain)
    .where('person.left_at', 'is', null)
    .orderBy('person.leadership_rank')
    .orderBy(sql`person.email is null`)
    .orderBy('person.full_name')
    .orderBy('person.person_id')

/** Counts the current people at each company. Companies without people are absent. */
async function countCurrent(db: Db, domains: readonly string[]): Promise<Map<string, number>> {
  if (domains.length === 0) return new Map()
  const rows = await db
    .selectFrom('person')
    .select((select) => ['company_domain', select.fn.countAll<number>().as('total')])
    .where('company_domain', 'in', domains)
    .where('left_at', 'is', null)
    .groupBy('company_domain')
    .execute()
  return new Map(rows.map(({ company_domain, total }) => [company_domain, total]))
}

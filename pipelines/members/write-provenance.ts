import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { MemberRecord } from './read-record.ts'
import type { Row } from './read-row.ts'
import type { RowShape } from './row-shape.ts'
import { COMPANY_PROVENANCE, PERSON_PROVENANCE } from './row-shape.ts'
import { writeRows } from './write-rows.ts'

type Db = Kysely<WarehouseTables>

/** The provenance of a company or its people, stored in one table. */
interface Provenance {
  entity: string
  shape: RowShape
  rows: readonly Row[]
}

export const provenanceIn = ({ companyProvenance, personProvenance }: MemberRecord): Provenance[] => [
  { entity: 'company_provenance', shape: COMPANY_PROVENANCE, rows: companyProvenance },
  { entity: 'person_provenance', shape: PERSON_PROVENANCE, rows: personProvenance },
]

/**
 * Writes the sources of a member's fields, and deletes sources that the record no longer contains. Must be called after
 * the people have been written and departed people have been removed.
 */
export async function writeProvenance(trx: Db, record: MemberRecord, runId: number): Promise<void> {
  for (const provenance of provenanceIn(record)) {
    const { shape, rows } = provenance
    await writeRows(trx, shape, rows, runId)
    const extra = await listExtraProvenance(trx, provenance, record)
    if (extra.length > 0)
      await sql`delete from ${sql.table(shape.table)} where ${isOfMember(shape, record.domain)} and ${keyOf(shape)} = any (${extra}::text[])`.execute(
        trx,
      )
  }
}

/**
 * Lists the keys of a member's stored sources that the record no longer contains. Key parts are joined with ` / `.
 * Excludes sources whose new version was rejected. Also excludes sources of stored people who are missing from the
 * record, because the list of people may be incomplete or their new records may have been rejected.
 */
export async function listExtraProvenance(
  db: Db,
  { entity, shape, rows }: Provenance,
  { domain, persons, rejected }: MemberRecord,
): Promise<string[]> {
  const names = Object.keys(shape.key)
  const present = [
    ...rows.map((row) => names.map((name) => String(row[name])).join(' / ')),
    ...rejected.filter((one) => one.entity === entity).map(({ reject }) => reject.key),
  ]
  const people = persons.map(({ person_key }) => person_key)
  const { rows: extra } = await sql<{ key: string }>`
    select ${keyOf(shape)} as key from ${sql.table(shape.table)} as stored
    where ${isOfMember(shape, domain)} and ${keyOf(shape)} <> all (${present}::text[])
      ${'person_key' in shape.key ? sql`and (person_key = any (${people}::text[]) or not ${isCurrent})` : sql``}
    order by 1`.execute(db)
  return extra.map(({ key }) => key)
}

const isCurrent = sql`exists (
  select from warehouse.person where person.company_domain = stored.company_domain and person.person_key = stored.person_key)`

const keyOf = ({ key }: RowShape) => sql`concat_ws(' / ', ${sql.join(Object.keys(key).map((name) => sql.ref(name)))})`

const isOfMember = ({ key }: RowShape, domain: string) => sql`${sql.ref(Object.keys(key)[0] as string)} = ${domain}`

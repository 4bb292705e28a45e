import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { MemberRecord } from './read-record.ts'
import type { Row } from './read-row.ts'
import type { RowShape } from './row-shape.ts'
import { COMPANY_PROVENANCE, PERSON_PROVENANCE } from './row-shape.ts'
import { writeRows } from './write-rows.ts'

type Db = Kysely<WarehouseTables>

/** Writes the sources of a member's fields, and deletes rows of sources and people that the record no longer has. */
export async function writeProvenance(
  trx: Db,
  { domain, companyProvenance, personProvenance }: MemberRecord,
  runId: number,
): Promise<void> {
  await writeRows(trx, COMPANY_PROVENANCE, companyProvenance, runId)
  await writeRows(trx, PERSON_PROVENANCE, personProvenance, runId)
  for (const [shape, rows] of [
    [COMPANY_PROVENANCE, companyProvenance],
    [PERSON_PROVENANCE, personProvenance],
  ] as const) {
    const extra = await listExtraProvenance(trx, shape, domain, rows)
    if (extra.length > 0)
      await sql`delete from ${sql.table(shape.table)} where ${isOfMember(shape, domain)} and ${keyOf(shape)} = any (${extra}::text[])`.execute(
        trx,
      )
  }
}

/** Lists the keys of a member's stored rows that are not among the given ones, with parts separated by ` / `. */
export async function listExtraProvenance(
  db: Db,
  shape: RowShape,
  domain: string,
  rows: readonly Row[],
): Promise<string[]> {
  const names = Object.keys(shape.key)
  const present = rows.map((row) => names.map((name) => String(row[name])).join(' / '))
  const { rows: extra } = await sql<{ key: string }>`
    select ${keyOf(shape)} as key from ${sql.table(shape.table)}
    where ${isOfMember(shape, domain)} and ${keyOf(shape)} <> all (${present}::text[]) order by 1`.execute(db)
  return extra.map(({ key }) => key)
}

const keyOf = ({ key }: RowShape) => sql`concat_ws(' / ', ${sql.join(Object.keys(key).map((name) => sql.ref(name)))})`

const isOfMember = ({ key }: RowShape, domain: string) => sql`${sql.ref(Object.keys(key)[0] as string)} = ${domain}`

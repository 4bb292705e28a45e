import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Row } from '../../src/personal-data/judge-row.ts'
import type { Macs } from '../../src/personal-data/macs.ts'
import { createMacs } from '../../src/personal-data/macs.ts'
import { createMatcher } from '../../src/personal-data/matcher.ts'
import { eraseRows } from '../../src/personal-data/rows-in-places.ts'
import type { Subject } from '../../src/personal-data/subject.ts'
import { addMarks, createSubject, isEmptySubject } from '../../src/personal-data/subject.ts'
import { WAREHOUSE_PLACES } from '../../src/personal-data/warehouse-places.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { FetchedErasures } from './fetch-erasures.ts'
import { peopleInRow, REVEALING_TABLES } from './marks-in-row.ts'

type Db = Kysely<WarehouseTables>

/**
 * Adds new entries to the suppression list and removes those people from the warehouse, in one transaction. Returns
 * the number of rows deleted or redacted.
 */
export async function applyErasures(db: Db, fetched: FetchedErasures, runId: number): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await sql`lock table sync.suppressed_person in exclusive mode`.execute(trx)
    if (fetched.isOtherService) await trx.deleteFrom('sync.suppressed_person').execute()
    for (const { erasure_id, position, lifted_at, macs } of fetched.erasures) {
      await trx.deleteFrom('sync.suppressed_person').where('erasure_id', '=', erasure_id).execute()
      if (lifted_at !== null) continue
      await sql`
        insert into sync.suppressed_person (mac, erasure_id, position)
        select distinct mac, ${erasure_id}::bigint, ${position}::bigint from unnest(${macs}::text[]) as mac`.execute(
        trx,
      )
    }
    const suppressed = new Set(fetched.erasures.flatMap(({ lifted_at, macs }) => (lifted_at === null ? macs : [])))
    const subject = await findSubject(trx, createMacs(Buffer.from(fetched.hmac_key, 'hex')), suppressed)
    const erased = isEmptySubject(subject) ? 0 : await eraseSubject(trx, subject)
    await sql`
      insert into sync.erasure_feed as feed (hmac_key, position, run_id)
      values (${fetched.hmac_key}, ${fetched.position}, ${runId})
      on conflict (id) do update
      set hmac_key = excluded.hmac_key, position = excluded.position, run_id = excluded.run_id, moved_at = now()`.execute(
      trx,
    )
    return erased
  })
}

async function eraseSubject(trx: Db, subject: Subject): Promise<number> {
  const matcher = createMatcher(subject)
  let erased = 0
  for (const place of WAREHOUSE_PLACES) erased += await eraseRows(trx, place, matcher)
  return erased
}

/** Collects the identifiers of suppressed people from the warehouse's rows. */
async function findSubject(trx: Db, macs: Macs, suppressed: ReadonlySet<string>): Promise<Subject> {
  const subject = createSubject()
  if (suppressed.size === 0) return subject
  for (const table of REVEALING_TABLES)
    for await (const row of scan(trx, table)) addSuppressed(subject, table, row, macs, suppressed)
  return subject
}

/** Adds the identifiers of the suppressed people named in the row. */
export function addSuppressed(
  subject: Subject,
  table: (typeof REVEALING_TABLES)[number],
  row: Row,
  macs: Macs,
  suppressed: ReadonlySet<string>,
): void {
  for (const person of peopleInRow(table, row, macs))
    if (person.macs.some((mac) => suppressed.has(mac))) addMarks(subject, person.marks)
}

async function* scan(trx: Db, table: string): AsyncGenerator<Row> {
  const cursor = sql.id(`scan_of_${table}`)
  const page = 1000
  await sql`declare ${cursor} no scroll cursor for select * from ${sql.table(`warehouse.${table}`)}`.execute(trx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(page)} from ${cursor}`.execute(trx)
    yield* rows
    if (rows.length < page) break
  }
  await sql`close ${cursor}`.execute(trx)
}

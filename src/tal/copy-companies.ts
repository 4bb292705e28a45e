import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

const CHUNK = 10_000

/**
 * Copies the data of all companies to the lists that contain them, and returns the number of corrected list entries.
 * Triggers copy each change, but they miss a company that is created while another transaction adds it to a list.
 */
export async function copyCompaniesToLists(db: Db): Promise<number> {
  let corrected = 0
  for (let after: string | null = ''; after !== null; ) {
    const { rows } = await sql<{ last: string | null; corrected: number | null }>`
      select max(domain) as last, copy_companies_to_lists(array_agg(domain)) as corrected
      from (select distinct domain from tal_member where domain > ${after} order by domain limit ${CHUNK}) listed`.execute(
      db,
    )
    after = rows[0]?.last ?? null
    corrected += rows[0]?.corrected ?? 0
  }
  return corrected
}

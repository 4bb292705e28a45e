import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { WarehouseTables } from '../warehouse/tables.ts'

const SAMPLES = 1000

/** About 1,000 evenly spaced SEC numbers of live firms in byte order, as split points for the next walk. */
export async function sampleKeys(db: Kysely<WarehouseTables>): Promise<string[]> {
  const { rows } = await sql<{ sec_number: string }>`
    with numbered as (
      select sec_number, row_number() over (order by sec_number) as place, count(*) over () as firms
      from warehouse.firm where gone_at is null
    )
    select sec_number from numbered where place % greatest(1, firms / ${SAMPLES}::bigint) = 0 order by sec_number
  `.execute(db)
  return rows.map(({ sec_number }) => sec_number)
}

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { takeUpWalk } from '../../pipelines/state/walks.ts'
import { countMissing } from '../../pipelines/warehouse/gone-firms.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { testDatabase } from '../helpers/database.ts'

it('counts the missing of thirty thousand firms in seconds: the keys seen are read once, not once a firm', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const { walk } = await takeUpWalk(warehouse.db, 'firms', 1)
  await sql`
    insert into warehouse.firm (firm_id, sec_number, valid_from, run_id, row_hash)
    select n::text, '801-' || n, now(), 1, md5(n::text)::uuid from generate_series(1, 30000) n`.execute(warehouse.db)
  await sql`
    insert into sync.walk_page (walk_id, keys)
    select ${walk.id}, array_agg('801-' || n) from generate_series(1, 29990) n group by n / 50`.execute(warehouse.db)
  const counted = await warehouse.db.transaction().execute(async (trx) => {
    // Asked firm by firm, it takes minutes.
    await sql`set local statement_timeout = '10s'`.execute(trx)
    return await countMissing(trx, walk.id)
  })
  expect(counted).toEqual({ live: 30_000, missing: 10 })
})

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { testDatabase } from '../../../helpers/database.ts'

it('new people are compared only with the news of their company, even before the tables are analyzed', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const newsRead = await warehouse.db.transaction().execute(async (trx) => {
    await sql`
      insert into sync.run (id, pipeline, requested_by, holder) overriding system value values (1, 'tal-members', 'command', '{}')
    `.execute(trx)
    // The plans are made while the tables are empty.
    await insertPeople(trx, 'early')
    await sql`
      insert into warehouse.signal (company_domain, signal_key, type, headline, published_on, row_hash, run_id)
      select 'company-' || number || '.example', 'news', 'Leadership Change', 'A new director', current_date, 'hash', 1
      from generate_series(1, ${COMPANIES}) as number`.execute(trx)
    const before = await rowsOfNewsRead(trx)
    await insertPeople(trx, 'late')
    return (await rowsOfNewsRead(trx)) - before
  })
  expect(newsRead).toBeLessThanOrEqual(2 * COMPANIES)
})

const COMPANIES = 200

type Db = Kysely<WarehouseTables>

/** Adds one person to each company. */
async function insertPeople(db: Db, key: string): Promise<void> {
  await sql`
    insert into warehouse.person (company_domain, person_key, full_name, row_hash, run_id)
    select 'company-' || number || '.example', ${key}, 'Jane Doe', 'hash', 1
    from generate_series(1, ${COMPANIES}) as number`.execute(db)
}

async function rowsOfNewsRead(db: Db): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
    where schemaname = 'warehouse' and relname = 'signal'`.execute(db)
  return Number(rows[0]?.read)
}

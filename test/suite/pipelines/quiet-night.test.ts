import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import { ownServer } from '../../helpers/own-server.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'

// Heartbeats write WAL too, a few times per second, so many firms keep their share small on a slow machine.
const FIRMS = 6000

it('writes no dead rows, no locks and under 5 bytes of WAL per row when nothing changed', async () => {
  await using host = await startFirmHost(generateFirms(FIRMS))
  await using warehouse = await ownServer<WarehouseTables>('warehouse')
  await using bench = await pipelineBench(host, {}, warehouse)
  await bench.run()
  await sql`vacuum (freeze, analyze) warehouse.firm`.execute(warehouse.db)
  // The second run may write full-page images and hint bits once.
  expect(await bench.run()).toMatchObject({ outcome: 'ok', unchanged: FIRMS })
  const before = await walPosition(warehouse)
  const run = await bench.run()
  const bytes = (await walPosition(warehouse)) - before
  expect(run).toMatchObject({ outcome: 'ok', inserted: 0, updated: 0, unchanged: FIRMS, gone: 0 })
  expect(bytes / FIRMS).toBeLessThan(5)
  expect(await touchedRows(warehouse)).toEqual({ touched: 0 })
})

async function walPosition({ db }: Postgres<WarehouseTables>): Promise<number> {
  const { rows } = await sql<{
    at: number
  }>`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at`.execute(db)
  return rows[0]?.at ?? Number.NaN
}

/** Number of rows that any transaction has locked, updated or deleted since they were written. */
async function touchedRows({ db }: Postgres<WarehouseTables>) {
  const { rows } = await sql`
    select count(*) filter (where xmax <> 0) as touched from warehouse.firm
  `.execute(db)
  return rows[0]
}

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { staleness } from '../../../pipelines/staleness/pipeline.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import { ownServer } from '../../helpers/own-server.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'

const FIRMS = 6000

it('a nightly run without changes writes no dead rows, no locks and under 5 bytes of WAL per row', async () => {
  await using host = await startFirmHost(generateFirms(FIRMS))
  await using warehouse = await ownServer<WarehouseTables>('warehouse')
  await using bench = await pipelineBench(host, {}, warehouse)
  await bench.run()
  await sql`vacuum (freeze, analyze) warehouse.firm`.execute(warehouse.db)
  // The second run may write full-page images and hint bits once.
  expect(await bench.run()).toMatchObject({ outcome: 'ok', unchanged: FIRMS })
  await sql`create extension pg_walinspect`.execute(warehouse.db)
  const before = await walPosition(warehouse)
  const run = await bench.run()
  expect(run).toMatchObject({ outcome: 'ok', inserted: 0, updated: 0, unchanged: FIRMS, gone: 0 })
  expect((await walSince(warehouse, before)) / FIRMS).toBeLessThan(5)
  expect(await touchedRows(warehouse)).toEqual({ touched: 0 })
})

async function walPosition({ db }: Postgres<WarehouseTables>): Promise<string> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(db)
  return rows[0]?.at ?? ''
}

/**
 * Returns the number of WAL bytes for the warehouse's tables and indexes, excluding parts that depend on the run's
 * duration: heartbeats in the run's row, and full-page images after a checkpoint.
 */
async function walSince({ db }: Postgres<WarehouseTables>, start: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::integer as bytes
    from (
      select record_length - sum(coalesce(block_fpi_length, 0)) as bytes
      from pg_get_wal_block_info(${start}::pg_lsn, pg_current_wal_insert_lsn()) as block
      join pg_class on pg_relation_filenode(pg_class.oid) = block.relfilenode
      left join pg_index on indexrelid = pg_class.oid
      where relnamespace in ('warehouse'::regnamespace, 'sync'::regnamespace)
        and coalesce(indrelid, pg_class.oid) <> 'sync.run'::regclass
      group by start_lsn, record_length
    ) record
  `.execute(db)
  return rows[0]?.bytes ?? Number.NaN
}

/** Returns the number of rows that any transaction has locked, updated or deleted since they were written. */
async function touchedRows({ db }: Postgres<WarehouseTables>) {
  const { rows } = await sql`
    select count(*) filter (where xmax <> 0) as touched from warehouse.firm
  `.execute(db)
  return rows[0]
}

it('rewrites the freshness and the forecast of a night only if they changed', async () => {
  await using host = await startFirmHost([])
  await using bench = await pipelineBench(host)
  const { db } = bench.warehouse
  await sql`insert into warehouse.tal_member (domain, run_id, row_hash) values ('a.example', 1, ''), ('b.example', 1, '')`.execute(
    db,
  )
  const written = async (): Promise<Record<string, unknown>[]> =>
    await Promise.all(
      ['freshness_target', 'freshness_by_night', 'forecast_by_night'].map(async (table) => {
        const { rows } = await sql<Record<string, unknown>>`
          select ctid::text, xmin::text, xmax::text, to_jsonb(t) as row from ${sql.table(`warehouse.${table}`)} t order by to_jsonb(t)::text`.execute(
          db,
        )
        return { table, rows }
      }),
    )
  await bench.run({ pipeline: staleness })
  const first = await written()
  expect(first.map(({ rows }) => (rows as unknown[]).length)).toEqual([1, 1, expect.any(Number)])
  await bench.run({ pipeline: staleness })
  expect(await written()).toEqual(first)
  await sql`update warehouse.tal_member set gone_at = now() where domain = 'b.example'`.execute(db)
  await bench.run({ pipeline: staleness })
  expect(JSON.stringify(await written())).toContain('"members":1')
  await sql`update warehouse.tal_member set gone_at = now()`.execute(db)
  await bench.run({ pipeline: staleness })
  expect((await written())[1]).toMatchObject({ rows: [] })
})

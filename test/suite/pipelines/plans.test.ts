import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { compareRows } from '../../../pipelines/compare/compare-rows.ts'
import { insertEvents } from '../../../pipelines/history/write-events.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { readRecord } from '../../../pipelines/members/read-record.ts'
import { readRow } from '../../../pipelines/members/read-row.ts'
import { COMPANY } from '../../../pipelines/members/row-shape.ts'
import { writeTables } from '../../../pipelines/members/write-record.ts'
import { writeRows } from '../../../pipelines/members/write-rows.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'

type Db = Postgres<WarehouseTables>['db']

const KNOWN = 10_000

/** Returns the numbers of full table scans and rows read by `work`, measured inside one transaction. */
async function readsOf(
  db: Db,
  table: string,
  work: (trx: Db) => Promise<unknown>,
): Promise<{ scans: number; rows: number }> {
  return await db.transaction().execute(async (trx) => {
    await work(trx)
    const { rows } = await sql<{ scans: number; rows: number }>`
      select seq_scan::integer as scans, (seq_tup_read + idx_tup_fetch)::integer as rows
      from pg_stat_xact_user_tables where schemaname = 'warehouse' and relname = ${table}
    `.execute(trx)
    return rows[0] ?? { scans: Number.NaN, rows: Number.NaN }
  })
}

const wholeReads = async (...of: Parameters<typeof readsOf>): Promise<number> => (await readsOf(...of)).scans

describe('a newly filled table without statistics', () => {
  it('does not scan a newly filled table without statistics to write or compare the record of one company', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const { db } = warehouse
    await sql`
      insert into warehouse.company (domain, run_id, row_hash)
      select 'company' || number || '.example', 1, 'hash' from generate_series(1, ${KNOWN}) number
    `.execute(db)
    const row = readRow(COMPANY, { domain: 'company7.example' }, { name: 'Seven' })
    if (!('row_hash' in row)) throw new Error(row.reason)
    expect(await wholeReads(db, 'company', (trx) => writeRows(trx, COMPANY, [row], 1))).toBe(0)
    const comparable = { table: COMPANY.table, key: { domain: 'text' }, columns: { name: 'text' } }
    expect(await wholeReads(db, 'company', (trx) => compareRows(trx, comparable, [row]))).toBe(0)
  })

  it('does not scan a newly filled table without statistics to write the events of one company', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const { db } = warehouse
    await sql`
      insert into warehouse.history_event (domain, event_key, entity, key, field, changed_at, run_id)
      select 'company' || number || '.example', number, 'company', 'company' || number || '.example', 'name', now(), 1
      from generate_series(1, ${KNOWN}) number
    `.execute(db)
    const event = {
      domain: 'company7.example',
      event_key: 'new',
      entity: 'company',
      key: 'company7.example',
      field: 'name',
      old_value: null,
      new_value: 'Seven',
      changed_at: '2026-01-01T00:00:00Z',
      position: 0,
      source: null,
      task_id: null,
      person_id: null,
      kind: null,
      extra: null,
      raw: null,
    }
    const write = (trx: Db) => insertEvents(trx, { events: [event], rejected: [] }, 1)
    expect(await wholeReads(db, 'history_event', write)).toBe(0)
  })

  it('reads a newly filled table by key for the rejected records of one member', async () => {
    await using warehouse = await testDatabase<WarehouseTables>('warehouse')
    const { db } = warehouse
    await sql`
      insert into warehouse.quarantine (entity, fingerprint, key, reason, record, resolved_at, run_id)
      select 'person', gen_random_uuid(), 'company' || number || '.example / someone', 'is odd', '{}', now(), 1
      from generate_series(1, ${KNOWN}) number
    `.execute(db)
    await sql`insert into warehouse.tal_member (domain, run_id, row_hash) values ('company7.example', 1, '')`.execute(
      db,
    )
    const record = readRecord({
      domain: 'company7.example',
      record: undefined,
      persons: [],
      leaders: [],
      signals: [],
      personsIncomplete: undefined,
    })
    const write = (trx: Db) => writeTables(trx, [{ record, departed: new Set() }], 1)
    expect((await readsOf(db, 'quarantine', write)).rows).toBe(1)
    const { rows } = await sql`select from warehouse.quarantine where key like 'company7.example %'`.execute(db)
    expect(rows).toEqual([])
  })

  it('analyzes a newly filled table after the first pull of a list', async () => {
    await using host = await startStrangeHost()
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      host.world.tal.push({ domain })
      host.world.companies.set(domain, { domain, name: domain })
    }
    await using bench = await pipelineBench(host)
    expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'ok' })
    const { rows } = await sql`
      select relname, reltuples from pg_class where oid in ('warehouse.tal_member'::regclass, 'warehouse.company'::regclass) order by 1
    `.execute(bench.warehouse.db)
    expect(rows).toEqual([
      { relname: 'company', reltuples: 3 },
      { relname: 'tal_member', reltuples: 3 },
    ])
  })
})

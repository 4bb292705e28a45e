import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { WarehouseDictionary, WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { AppError } from '../../../src/lib/errors.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { eventually } from '../../helpers/eventually.ts'
import { testOperations } from '../../helpers/operations.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let warehouse: Postgres<WarehouseTables>
let service: TestService
beforeAll(async () => {
  warehouse = await testDatabase<WarehouseTables>('warehouse')
  service = await startService({ warehouse: testOperations(warehouse) })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await warehouse[Symbol.asyncDispose]()
})

const query = (text: string, limit?: number) =>
  service.call<WarehouseQueryResult & { detail: string }>('POST', '/v2/warehouse/query', {
    body: { sql: text, ...(limit && { limit }) },
  })

const isRunning = async (mark: string): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state = 'active' and query like ${`%${mark}%`}
      and pid <> pg_backend_pid()`.execute(warehouse.db)
  return rows.length > 0
}

describe('POST /v2/warehouse/query', () => {
  it('a warehouse query returns columns with types, and rows in order', async () => {
    const { body } = await query(
      "select n, n * 1.5 as half, 'x' || n as x, date '2026-01-02' as day, interval '1 hour' as span, 12345678901234567890::numeric as big from generate_series(1, 2) n;",
    )
    expect(body.columns.map(({ name, type, is_numeric }) => [name, type, is_numeric])).toEqual([
      ['n', 'integer', true],
      ['half', 'numeric', true],
      ['x', 'text', false],
      ['day', 'date', false],
      ['span', 'interval', false],
      ['big', 'numeric', true],
    ])
    expect(body.rows).toEqual([
      [1, 1.5, 'x1', '2026-01-02', '1 hours', '12345678901234567890'],
      [2, 3, 'x2', '2026-01-02', '1 hours', '12345678901234567890'],
    ])
    expect(body.is_truncated).toBe(false)
  })

  it('a warehouse query returns at most the requested number of rows, and whether there are more rows', async () => {
    const exact = (await query('select * from generate_series(1, 1200)', 1200)).body
    expect([exact.rows.length, exact.is_truncated]).toEqual([1200, false])
    const cut = (await query('select * from generate_series(1, 1201)', 1200)).body
    expect([cut.rows.length, cut.is_truncated]).toEqual([1200, true])
  })

  it('a warehouse query stops reading after 16 MB', async () => {
    const { body } = await query("select repeat('a', 100000) from generate_series(1, 5000)", 5000)
    expect(body.is_truncated).toBe(true)
    expect(body.rows.length).toBeLessThan(1000)
  })

  it('a warehouse query runs as the analyst role, which can only read the schema warehouse', async () => {
    expect((await query('select current_user')).body.rows).toEqual([['talhouse_analyst']])
    expect((await query('show transaction_read_only')).body.rows).toEqual([['on']])
    for (const [text, message] of [
      ['select * from sync.run', 'permission denied for schema sync'],
      ['delete from warehouse.firm', 'syntax error'],
      ['with gone as (delete from warehouse.firm returning 1) select * from gone', 'data-modifying statements'],
      ['explain analyze delete from warehouse.firm', 'read-only transaction'],
      ['select 1; drop table warehouse.firm', 'one statement at a time'],
      ['commit', 'syntax error'],
      ["select set_config('transaction_read_only', 'off', true)", 'must be set before any query'],
    ] as const) {
      const reply = await query(text)
      expect([text, reply.status, reply.body.detail]).toEqual([text, 422, expect.stringContaining(message)])
    }
  })

  it('a warehouse query names the line of an error, with the hint of PostgreSQL', async () => {
    const { body } = await query('select 1 as a,\n  legal_nam\nfrom warehouse.firm')
    expect(body.detail).toBe(
      'column "legal_nam" does not exist (line 2). Perhaps you meant to reference the column "firm.legal_name".',
    )
  })

  it('a warehouse query does not keep session settings for the next query', async () => {
    await query("select set_config('search_path', 'pg_catalog', false)")
    expect((await query("select current_setting('search_path')")).body.rows).not.toEqual([['pg_catalog']])
  })

  it('cancels a warehouse query whose client disconnects', async () => {
    const left = new AbortController()
    const asking = fetch(`${service.url}/v2/warehouse/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.key },
      body: JSON.stringify({ sql: "select 'left early', count(*) from generate_series(1, 100000000000)" }),
      signal: left.signal,
    })
    await eventually('the query runs', () => isRunning('fetch forward'))
    left.abort()
    await expect(asking).rejects.toThrow()
    await eventually('the query is cancelled', async () => !(await isRunning('fetch forward')))
  })

  it('does not run a warehouse query whose client disconnected before the query started', async () => {
    const left = AbortSignal.abort(new AppError('interrupted', 'left early'))
    const asking = testOperations(warehouse).runQuery({ sql: 'select pg_sleep(10)', limit: 1 }, left)
    await expect(asking).rejects.toThrow('left early')
  })

  it('ends a warehouse query after the time limit', async () => {
    const limited = testOperations(warehouse, { timeoutSeconds: 1 })
    const endless = { sql: 'select count(*) from generate_series(1, 100000000000)', limit: 1 }
    await expect(limited.runQuery(endless, new AbortController().signal)).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'The query was cancelled. A query may run for at most 1 s.',
    })
  })
})

describe('GET /v2/warehouse/tables', () => {
  it('describes every table and column of the warehouse that the analyst can read', async () => {
    const { body } = await service.call<WarehouseDictionary>('GET', '/v2/warehouse/tables')
    const firm = body.tables.find(({ name }) => name === 'firm')
    expect(firm?.columns.find(({ name }) => name === 'aum_total_usd')).toMatchObject({
      type: 'numeric',
      comment: expect.stringContaining('US dollars'),
    })
    for (const { name } of body.tables)
      expect((await query(`select * from warehouse.${name} limit 1`)).status, name).toBe(200)
    expect(body.functions.map(({ signature }) => signature)).toContainEqual(expect.stringMatching(/^firm_as_of\(/))
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { nightly } from '../../../pipelines/nightly.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { createClient } from '../../../src/auth/clients.ts'
import { prepareDatabase } from '../../../src/cli/support/access/prepare.ts'
import { SCOPES } from '../../../src/contract/scopes.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import { startDemoWeb } from '../../../src/demo/start-demo-web.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { openPostgres, withClient } from '../../../src/lib/postgres.ts'
import { testDatabase } from '../../helpers/database.ts'
import { demoSettings, startEnriching } from '../../helpers/enriching-service.ts'
import type { Pgbouncer } from '../../helpers/pgbouncer.ts'
import { hasPgbouncer, startPgbouncer } from '../../helpers/pgbouncer.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'

const CONNECTIONS = 3

// This test needs PgBouncer (Debian: apt-get install pgbouncer).
describe.skipIf(!hasPgbouncer)('behind PgBouncer in transaction mode', () => {
  let pooler: Pgbouncer
  let service: Postgres<ServiceTables>
  let warehouse: Postgres<WarehouseTables>

  beforeAll(async () => {
    pooler = await startPgbouncer(inject('postgresUrl'), { connections: CONNECTIONS })
    service = await testDatabase<ServiceTables>('service')
    warehouse = await testDatabase<WarehouseTables>('warehouse')
  })
  afterAll(async () => {
    await pooler[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    await warehouse[Symbol.asyncDispose]()
  })

  const open = <Tables>(direct: Postgres<Tables>): Postgres<Tables> =>
    openPostgres(pooler.through(direct.url), { log: silentLog, name: 'test', connections: 20 })

  it('behind PgBouncer, a named statement can run on every server connection', async () => {
    await using stack = new AsyncDisposableStack()
    const { pool } = stack.use(open(service))
    const [one, other] = [await pool.connect(), await pool.connect()]
    for (const client of [one, other]) stack.defer(() => client.release(true))
    const named = { name: 'same', text: 'select pg_backend_pid() as pid' }
    const first = await one.query<{ pid: number }>(named)
    // Occupies the server connection that was just released.
    await other.query('begin')
    const taken = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    expect(taken.rows).toEqual(first.rows)
    expect((await one.query<{ pid: number }>(named)).rows).not.toEqual(first.rows)
  })

  it('behind PgBouncer, companies are enriched, and a nightly run writes the same rows as without a pooler', async () => {
    await using pooledService = open(service)
    await using web = await startDemoWeb({ companies: 6 })
    const domains = web.companies.map(({ domain }) => domain)
    await using enriching = await startEnriching({ service: pooledService, settings: demoSettings(web) })
    const client = await createClient(service.db, { name: 'Pooled' })
    const { key } = await createApiKey(service.db, client.client_id, { scopes: SCOPES })
    await using pooled = await pipelineBench({ url: enriching.url, key }, {}, open(warehouse))
    const added = await fetch(`${enriching.url}/v2/clients/me/tal/companies`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ domains, source: 'test' }),
    })
    expect(added.ok).toBe(true)
    await enriching.enrich(domains)
    expect(await pooled.run({ pipeline: nightly })).toMatchObject({ outcome: 'ok' })

    await using direct = await pipelineBench({ url: enriching.url, key })
    expect(await direct.run({ pipeline: nightly })).toMatchObject({ outcome: 'ok' })
    const rows = await contents(warehouse)
    expect(rows.length).toBeGreaterThan(domains.length)
    expect(rows).toEqual(await contents(direct.warehouse))
  })

  it('behind PgBouncer, sessions use UTC even if another client sets another time zone on the same server connection', async () => {
    await using pooled = open(service)
    const foreign = await withClient(pooler.through(service.url), async (client) => {
      await client.query(`set time zone 'Asia/Tokyo'`)
      const zones = await Promise.all(
        Array.from({ length: 20 }, () =>
          pooled.pool.query<{ zone: string }>(`select current_setting('TimeZone') as zone`),
        ),
      )
      expect(zones.map(({ rows }) => rows[0]?.zone)).toEqual(Array.from({ length: 20 }, () => 'UTC'))
      return (await client.query<{ zone: string }>(`select current_setting('TimeZone') as zone`)).rows[0]?.zone
    })
    expect(foreign).toBe('Asia/Tokyo')
  })

  it('behind PgBouncer, a migration is refused with the setting that names the server itself', async () => {
    const url = pooler.through(service.url)
    const migration = prepareDatabase(
      'service',
      { admin: url, owner: url, runtime: url },
      { log: silentLog, analystPassword: undefined, auditRetentionDays: 1 },
    )
    await expect(migration).rejects.toThrow(
      'Set TALHOUSE_SERVICE_OWNER_DATABASE_URL to the address of PostgreSQL itself.',
    )
  })
})

async function contents({ db }: Postgres<WarehouseTables>): Promise<unknown[]> {
  const { rows } = await sql`
    select each - array['run_id', 'recorded_at', 'first_seen_at', 'last_changed_at', 'seq'] as row from (
      select to_jsonb(company) as each from warehouse.company
      union all select to_jsonb(person) from warehouse.person
      union all select to_jsonb(signal) from warehouse.signal
    ) rows order by 1`.execute(db)
  return rows
}

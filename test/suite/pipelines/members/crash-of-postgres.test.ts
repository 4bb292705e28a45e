import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { writeIntent } from '../../../../pipelines/enrich/submissions.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import type { RunContext } from '../../../../pipelines/runner/pipeline.ts'
import { commitWithoutFlush } from '../../../../pipelines/warehouse/commit-without-flush.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../../src/lib/postgres.ts'
import { eventually } from '../../../helpers/eventually.ts'
import { ownServer } from '../../../helpers/own-server.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'
import { domainNames } from '../../../helpers/submissions.ts'

const MEMBERS = 120
/** The pull is held before it fetches this member, after it has written batches of at most 50 members. */
const HELD = 110

type Warehouse = Postgres<WarehouseTables>

/** A server whose WAL is flushed only by commits that wait for the flush: its WAL writer is stopped. */
async function openWarehouse(): Promise<Warehouse> {
  const warehouse = await ownServer<WarehouseTables>('warehouse')
  await sql`alter system set autovacuum = off`.execute(warehouse.db)
  await sql`select pg_reload_conf()`.execute(warehouse.db)
  process.kill(await walWriter(warehouse), 'SIGSTOP')
  return warehouse
}

async function walWriter({ db }: Warehouse): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where backend_type = 'walwriter'`.execute(db)
  if (rows[0] === undefined) throw new Error('the server has no WAL writer')
  return rows[0].pid
}

/** Shuts the server down immediately, without flushing WAL, and waits until it has recovered. */
async function crash(warehouse: Warehouse): Promise<void> {
  const { db } = warehouse
  const writer = await walWriter(warehouse)
  const { rows } = await sql<{ pid: string }>`
    select split_part(pg_read_file('postmaster.pid'), ${'\n'}, 1) as pid`.execute(db)
  process.kill(Number(rows[0]?.pid), 'SIGQUIT')
  // A stopped process does not receive SIGQUIT.
  process.kill(writer, 'SIGKILL')
  await eventually(
    'the server is down',
    () =>
      sql`select 1`.execute(db).then(
        () => false,
        () => true,
      ),
    30,
  )
  await eventually(
    'the server has recovered',
    () =>
      sql`select 1`.execute(db).then(
        () => true,
        () => false,
      ),
    60,
  )
}

const domainsIn = async ({ db }: Warehouse, table: 'warehouse.company' | 'sync.member_state'): Promise<string[]> => {
  const { rows } = await sql<{ domain: string }>`select domain from ${sql.table(table)} order by 1`.execute(db)
  return rows.map(({ domain }) => domain)
}

it('a crash of PostgreSQL loses records together with their fingerprints, and the next run pulls only these again', async () => {
  const domains = domainNames(MEMBERS).toSorted()
  await using host = await startStrangeHost()
  host.world.reportsHistory = true // fingerprints are stored only if the list shows changes
  for (const domain of domains) {
    host.world.tal.push({ domain })
    host.world.companies.set(domain, { domain, name: `The ${domain} company`, enrichment_status: 'complete' })
  }
  await using warehouse = await openWarehouse()
  await using bench = await pipelineBench(host, {}, warehouse)
  const { client } = bench.deps
  const gate = Promise.withResolvers<void>()
  const waiting = new Set<string>()
  const fetched: string[] = []
  const get: typeof client.companies.get = async (domain, ...rest) => {
    if (domains.indexOf(domain) >= HELD) {
      waiting.add(domain)
      await gate.promise
    }
    fetched.push(domain)
    return await client.companies.get(domain, ...rest)
  }
  const held = { ...client, companies: { ...client.companies, get } }
  const pipeline = { ...talMembers, run: (context: RunContext) => talMembers.run({ ...context, client: held }) }

  const first = bench.run({ pipeline })
  await eventually(
    'a batch is written, and the pull is held',
    async () => waiting.size > 0 && (await domainsIn(warehouse, 'sync.member_state')).length > 0,
    60,
  )
  const committed = await domainsIn(warehouse, 'sync.member_state')
  await crash(warehouse)
  const kept = await domainsIn(warehouse, 'sync.member_state')
  expect(kept.length).toBeLessThan(committed.length)
  expect(await domainsIn(warehouse, 'warehouse.company')).toEqual(kept)
  gate.resolve()
  expect(await first).toMatchObject({ state: 'failed', retryable: true })

  const written = await domainsIn(warehouse, 'sync.member_state')
  fetched.length = 0
  expect(await bench.run({ pipeline })).toMatchObject({ outcome: 'ok' })
  expect(fetched.toSorted()).toEqual(domains.filter((domain) => !written.includes(domain)))
  expect(await domainsIn(warehouse, 'warehouse.company')).toEqual(domains)
  const { rows } = await sql`
    select from warehouse.company where name <> 'The ' || domain || ' company' or gone_at is not null`.execute(
    warehouse.db,
  )
  expect(rows).toEqual([])
})

it('a crash of PostgreSQL does not lose the intent of a paid request, nor the records committed before it', async () => {
  await using warehouse = await openWarehouse()
  const { db } = warehouse
  const insert = (domain: string) =>
    db.transaction().execute(async (trx) => {
      await commitWithoutFlush(trx)
      await sql`insert into sync.member_state (domain, run_id) values (${domain}, 1)`.execute(trx)
    })
  await insert('before.example')
  const intent = { kind: 'batch', night: '2026-11-01', staleCompanies: 0, maxAgeDays: null, quotedUnits: 1 } as const
  await writeIntent(db, { ...intent, domains: ['a.example'] }, 1)
  await insert('after.example')
  await crash(warehouse)
  expect(await domainsIn(warehouse, 'sync.member_state')).toEqual(['before.example'])
  const { rows } = await sql`select domains, state from warehouse.submission`.execute(db)
  expect(rows).toEqual([{ domains: ['a.example'], state: 'intent' }])
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nightly } from '../../../pipelines/nightly.ts'
import { spending } from '../../../pipelines/spending/pipeline.ts'
import type { Provider } from '../../../src/findings/provider.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { addMembers } from '../../../src/tal/tal-members.ts'
import { grantUnits } from '../../../src/units/grant.ts'
import { createItemEnricher } from '../../../src/worker/enrich.ts'
import { eventually } from '../../helpers/eventually.ts'
import { inventedSource } from '../../helpers/invented-source.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'
import { domainNames } from '../../helpers/submissions.ts'
import { startWorkerOn } from '../../helpers/work.ts'

const MEMBERS = 5

/** A source that finds every company except one. */
const source: Provider = {
  ...inventedSource,
  find: async (request) =>
    request.domain === 'unknown.example'
      ? { status: 'not_found', reason: 'it has no website', observations: [], people: [], signals: [] }
      : inventedSource.find(request),
}

describe('the spending step', () => {
  let service: TestService
  let worker: AsyncDisposable
  let bench: Bench
  beforeAll(async () => {
    service = await startService({ plan: { units_per_period: 10_000 } })
    const { db, queue, receivers, client } = service
    const limits = { people: 25, articles: 10 }
    worker = startWorkerOn(
      { db, queue, receivers },
      createItemEnricher({ db, providers: [source], log: silentLog, limits }),
    )
    await addMembers(db, client.client_id, {
      entries: domainNames(MEMBERS).map((domain, place) => ({
        domain,
        attributes: { owner: place < 2 ? 'Kim' : 'Lee' },
      })),
    })
    bench = await pipelineBench(service)
  })
  afterAll(async () => {
    await bench[Symbol.asyncDispose]()
    await worker[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  const query = async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(bench.warehouse.db)).rows
  /** Reads the units of each ledger entry in the service and in the warehouse. */
  const books = async () => ({
    service: (
      await sql<{ entry_id: number; units: number }>`
        select entry_id, units from ledger_entry where client_id = ${service.client.client_id} order by 1`.execute(
        service.db,
      )
    ).rows,
    warehouse: await query<{ entry_id: number; units: number }>(
      'select entry_id, sum(units)::bigint as units from warehouse.ledger_line group by 1 order by 1',
    ),
  })

  it('pulls the whole ledger in a nightly run, by company', async () => {
    const night = await bench.run({ pipeline: nightly })
    expect(night.reasons).toEqual([])
    expect(night).toMatchObject({ outcome: 'ok', units: MEMBERS })
    const { service: entries, warehouse } = await books()
    expect(entries.length).toBeGreaterThan(1)
    expect(warehouse).toEqual(entries)
    expect(
      await query('select domain, charged, refunded, units from warehouse.company_spending order by domain'),
    ).toEqual(
      domainNames(MEMBERS)
        .toSorted()
        .map((domain) => ({ domain, charged: 1, refunded: 0, units: 1 })),
    )
    expect(await query('select requester, task_type, items, units from warehouse.spending_by_kind')).toEqual([
      { requester: 'nights', task_type: 'tal_enrich', items: MEMBERS, units: MEMBERS },
    ])
  })

  it('summarizes freshness and spending by list attribute', async () => {
    expect(
      await query('select name, value, members, fresh, due, units from warehouse.attribute_summary order by value'),
    ).toEqual([
      { name: 'owner', value: 'Kim', members: 2, fresh: 2, due: 0, units: 2 },
      { name: 'owner', value: 'Lee', members: 3, fresh: 3, due: 0, units: 3 },
    ])
  })

  it('sends one request and writes nothing if the ledger has not changed', async () => {
    expect(await bench.run({ pipeline: spending })).toMatchObject({ outcome: 'ok', inserted: 0, gone: 0, requests: 1 })
  })

  it('pulls the spending of other programs, with refunds, after the last ledger line', async () => {
    const body = { domains: ['other.example', 'unknown.example'] }
    const { body: task } = await service.call<{ task_id: string }>('POST', '/v2/enrich/batch', { body })
    await eventually('the task ends', async () => {
      const { body: found } = await service.call<{ completed_at: string | null }>('GET', `/v2/tasks/${task.task_id}`)
      return found.completed_at
    })
    await grantUnits(service.db, { clientId: service.client.client_id, units: 500, reason: 'goodwill' })
    await bench.run({ pipeline: spending })
    const { service: entries, warehouse } = await books()
    expect(warehouse).toEqual(entries)
    const charged = await query<{ units: number }>(
      `select sum(units)::integer as units from warehouse.spending_by_kind where requester = 'others'`,
    )
    const { body: read } = await service.call<{ units_charged: number; units_refunded: number }>(
      'GET',
      `/v2/tasks/${task.task_id}`,
    )
    expect(read.units_refunded).toBeGreaterThan(0)
    expect(charged).toEqual([{ units: read.units_charged - read.units_refunded }])
    expect(await query(`select domain, reason from warehouse.spending where kind = 'refund'`)).toEqual([
      { domain: 'unknown.example', reason: 'unknown.example: not found' },
    ])
    expect(await query(`select units, reason from warehouse.ledger_line where kind = 'grant'`)).toEqual([
      { units: 500, reason: 'goodwill' },
    ])
  })

  it('pulls the whole ledger again after the service restored it to an earlier state', async () => {
    await query(`insert into warehouse.ledger_line (ledger_id, entry_id, item, kind, units, created_at, run_id)
      select ledger_id, entry_id + 1, 0, 'grant', 7, now(), run_id from warehouse.ledger_line order by entry_id desc limit 1`)
    expect((await bench.run({ pipeline: spending })).gone).toBeGreaterThan(0)
    const { service: entries, warehouse } = await books()
    expect(warehouse).toEqual(entries)
  })

  it('keeps the ledger of the previous client when the key belongs to another client', async () => {
    const before = await query('select count(*)::integer as lines from warehouse.ledger_line')
    const other = await service.addCaller()
    await other.call('GET', '/v2/usage')
    await using elsewhere = await pipelineBench(
      { url: service.url, key: other.key },
      {},
      {
        ...bench.warehouse,
        [Symbol.asyncDispose]: async () => undefined,
      },
    )
    await elsewhere.run({ pipeline: spending })
    expect(await query('select count(distinct ledger_id)::integer as ledgers from warehouse.ledger_line')).toEqual([
      { ledgers: 2 },
    ])
    await bench.run({ pipeline: spending })
    expect(
      await query(`select count(*)::integer as lines from warehouse.ledger_line where ledger_id in (
        select ledger_id from warehouse.ledger_line group by 1 having count(*) > 1)`),
    ).toEqual(before)
  })
})

it('a host without ledger lines has no spending, and its nightly runs are ok', async () => {
  await using host = await startStrangeHost()
  await using bench = await pipelineBench(host)
  expect(await bench.run({ pipeline: spending })).toMatchObject({ outcome: 'ok', inserted: 0, requests: 1 })
})

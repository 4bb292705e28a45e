import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullPullDue } from '../../../pipelines/members/due-record.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { nightly } from '../../../pipelines/nightly.ts'
import { listSteps } from '../../../pipelines/runner/runs.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { addMembers } from '../../../src/tal/tal-members.ts'
import { createItemEnricher } from '../../../src/worker/enrich.ts'
import { inventedSource } from '../../helpers/invented-source.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { domainNames } from '../../helpers/submissions.ts'
import { startWorkerOn } from '../../helpers/work.ts'

const MEMBERS = 130
/** Number of requests for all members' records: two per 100 members. */
const RECORD_REQUESTS = 4

describe('nights against talhouse\u2019s own service', () => {
  let service: TestService
  let worker: AsyncDisposable
  let bench: Bench
  beforeAll(async () => {
    service = await startService({ plan: { units_per_period: 10_000, reads_per_minute: 100_000 } })
    const { db, queue, receivers, client } = service
    const limits = { people: 25, articles: 10 }
    const look = createItemEnricher({ db, providers: [inventedSource], log: silentLog, limits })
    worker = startWorkerOn({ db, queue, receivers }, look)
    await addMembers(db, client.client_id, { domains: domainNames(MEMBERS) })
    bench = await pipelineBench(service)
  })
  afterAll(async () => {
    await bench[Symbol.asyncDispose]()
    await worker[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  const requestsBySteps = async (parentId: number) =>
    Object.fromEntries(
      (await listSteps(bench.warehouse.db, parentId)).map(({ pipeline, requests }) => [pipeline, requests]),
    )

  it('pulls a list that has never been enriched from talhouse with two requests: the list, and a probe for further entries', async () => {
    expect(await bench.run({ pipeline: talMembers })).toMatchObject({
      outcome: 'ok',
      requests: 2,
      inserted: 2 * MEMBERS,
    })
    const { rows } = await sql`
      select enrichment_status, count(*)::integer as companies from warehouse.company group by 1`.execute(
      bench.warehouse.db,
    )
    expect(rows).toEqual([{ enrichment_status: 'none', companies: MEMBERS }])
  })

  it('fetches up to 100 enriched members from talhouse with two requests, and each history with one request', async () => {
    const run = await bench.run({ pipeline: nightly })
    expect(run).toMatchObject({ outcome: 'ok', units: MEMBERS })
    const requests = await requestsBySteps(run.id)
    expect(requests).toMatchObject({ 'tal-members': 1, 'refresh-members': 1 + RECORD_REQUESTS })
    // The ends of the first histories are probed until a response shows that the total counts all events.
    expect(requests['history']).toBeLessThanOrEqual(MEMBERS + bench.deps.settings.concurrency)
  })

  it("stores no responses for talhouse's events, because the rows contain all fields", async () => {
    const { rows } = await sql`
      select count(raw)::integer as copies, count(*) >= ${MEMBERS} as stored from warehouse.history_event`.execute(
      bench.warehouse.db,
    )
    expect(rows).toEqual([{ copies: 0, stored: true }])
  })

  it('fetches no member from talhouse and writes nothing when nothing changed', async () => {
    const run = await bench.run({ pipeline: nightly })
    expect(run).toMatchObject({ outcome: 'ok', units: 0, inserted: 0, updated: 0, gone: 0, requests: 5 })
    expect(await requestsBySteps(run.id)).toMatchObject({ 'tal-members': 1, 'refresh-members': 0, history: 0 })
  })

  it('fetches all people of members that have more people than a batch contains', async () => {
    const large = domainNames(MEMBERS).slice(0, 60)
    await sql`
      insert into person (company_domain, full_name, name_key, enrichment_status, last_seen_at)
      select domain, 'Person ' || number, 'person ' || number, 'complete', now()
      from unnest(${large}::text[]) as given (domain), generate_series(1, 51) as number`.execute(service.db)
    await sql`delete from sync.member_state`.execute(bench.warehouse.db)
    const run = await bench.run({ pipeline: talMembers })
    expect(run).toMatchObject({ outcome: 'ok', inserted: large.length * 51, gone: 0 })
    // The ends of the first lists are probed until a response shows that the total counts all people.
    expect(run.requests).toBeLessThanOrEqual(1 + RECORD_REQUESTS + 2 * large.length + bench.deps.settings.concurrency)
  })
})

it('pulls every member again within full_pull_days, some each night', () => {
  const start = Date.UTC(2031, 0, 1, 2)
  const night = (number: number): Date => new Date(start + number * 86_400_000)
  const fetchedAt = night(0).toISOString()
  const nights = domainNames(700).map((domain) =>
    Array.from({ length: 20 }, (_, number) => number).find((number) =>
      isFullPullDue(domain, fetchedAt, night(number), 7),
    ),
  )
  const perNight = Object.groupBy(nights, String)
  expect(Object.keys(perNight).map(Number)).toEqual([7, 8, 9, 10, 11, 12, 13])
  for (const members of Object.values(perNight)) expect(members?.length).toBeLessThan(160)
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nightly } from '../../pipelines/nightly.ts'
import type { Pipeline, PipelineDeps } from '../../pipelines/pipeline.ts'
import { runPipeline } from '../../pipelines/run.ts'
import type { Run } from '../../pipelines/state/runs.ts'
import { listRuns } from '../../pipelines/state/runs.ts'
import { talMembers } from '../../pipelines/tal-members.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import { createClient } from '../../src/client/index.ts'
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { createFetcher } from '../../src/enrichment/fetching/fetcher.ts'
import { createProviders } from '../../src/enrichment/providers/list.ts'
import { importSampleIfEmpty } from '../../src/form-adv/import-sample.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { forgetPerson } from '../../src/privacy/forget-person.ts'
import { createLook } from '../../src/worker/look-up.ts'
import { testDatabase } from '../helpers/database.ts'
import { eventually } from '../helpers/eventually.ts'
import { pipelineDeps } from '../helpers/pipeline-deps.ts'
import type { TestService } from '../helpers/service.ts'
import { startService } from '../helpers/service.ts'
import { enrichmentSettings, fetchingSettings } from '../helpers/web-server.ts'
import { startWorkerOn } from '../helpers/work.ts'

const COMPANIES = 8

let stack: AsyncDisposableStack
let service: TestService
let warehouse: Postgres<WarehouseTables>
let deps: PipelineDeps
let domains: string[]

/** The real service, a worker with every source, a web of invented companies, and an empty warehouse. */
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-e2e-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  service = stack.use(await startService({ plan: { units_per_period: 1000 } }))
  const { db } = service
  await importSampleIfEmpty(service.postgres, folder, {
    firms: 60,
    maxBytes: 2 ** 26,
    maxGoneShare: 0.1,
    clock: systemClock,
  })
  const web = stack.use(await startDemoWeb({ companies: COMPANIES }))
  domains = web.companies.map(({ domain }) => domain)
  const fetching = fetchingSettings({
    connect_to: web.connectTo,
    extra_ca_files: [web.authorityFile],
    own_hosts: ['*.example'],
    timeout_seconds: 20,
  })
  const fetcher = stack.use(createFetcher(fetching))
  const settings = enrichmentSettings()
  const providers = createProviders({ db, fetcher, settings, receivesMail: async () => null, clock: systemClock })
  const limits = { people: 25, articles: 10 }
  stack.use(
    startWorkerOn(service, createLook({ db, providers, clock: systemClock, log: silentLog, limits, freshDays: 30 })),
  )
  await service.call('POST', '/v2/clients/me/tal/companies', { body: { domains, source: 'demo' } })
  const groups = [
    await service.call<Submitted>('POST', '/v2/search/leadership', { body: { domains } }),
    await service.call<Submitted>('POST', '/v2/discover/signals', { body: { domains } }),
  ]
  for (const { body } of groups)
    await eventually('the task ends', async () => {
      const task = await service.call<{ completed_at: string | null }>('GET', `/v2/tasks/${body.task_id}`)
      return task.body.completed_at
    })

  warehouse = stack.use(await testDatabase<WarehouseTables>('warehouse'))
  const client = stack.use(createClient({ baseUrl: service.url, apiKey: service.key, concurrency: 8 }))
  deps = pipelineDeps(warehouse, client, {}, folder)
}, 60_000)
afterAll(() => stack.disposeAsync())

interface Submitted {
  task_id: string
}

const run = async (pipeline: Pipeline): Promise<Run> =>
  (await runPipeline(deps, pipeline, { requestedBy: 'command', signal: new AbortController().signal })).run

/** A night, and each of its steps by name. */
async function night(): Promise<{ run: Run; steps: Map<string, Run> }> {
  const whole = await run(nightly)
  const steps = await listRuns(warehouse.db, { parentId: whole.id, limit: 100 })
  return { run: whole, steps: new Map(steps.map((step) => [step.pipeline, step])) }
}

/** Everything that the warehouse says of companies, people, news and changes, with the run that wrote each row. */
async function contents(): Promise<unknown> {
  const { rows } = await sql<{ all: unknown }>`
    select jsonb_agg(row order by row::text) as all from (
      select to_jsonb(company) as row from warehouse.company
      union all select to_jsonb(person) from warehouse.person
      union all select to_jsonb(signal) from warehouse.signal
      union all select to_jsonb(event) from warehouse.history_event event
      union all select to_jsonb(firm) from warehouse.firm
    ) rows`.execute(warehouse.db)
  return rows[0]?.all
}

describe('two nights over the real service', () => {
  let first: Awaited<ReturnType<typeof night>>

  it('enriches everything that is due on the first', async () => {
    first = await night()
    expect(first.run.state).toBe('completed')
    const { rows } = await sql<{ asked: number; told: number; people: number; news: number; events: number }>`
      select count(*) filter (where enrichment_status not in ('none', 'pending'))::integer as asked,
        count(*) filter (where name is not null and enrichment_status in ('complete', 'partial'))::integer as told,
        (select count(*)::integer from warehouse.person) as people,
        (select count(*)::integer from warehouse.signal) as news,
        (select count(*)::integer from warehouse.history_event) as events
      from warehouse.company where gone_at is null`.execute(warehouse.db)
    const [found] = rows
    expect(found?.asked).toBe(COMPANIES)
    // Some of the invented sites are down or want no visitors.
    expect(found?.told).toBeGreaterThanOrEqual(COMPANIES / 2)
    expect(found?.people).toBeGreaterThan(COMPANIES)
    expect(found?.news).toBeGreaterThan(0)
    expect(found?.events).toBeGreaterThan(found?.people as number)
    expect(first.steps.get('enrich-due')?.units).toBeGreaterThan(0)
  })

  it('asks almost nothing, buys nothing that is fresh, and writes nothing on the second', async () => {
    const before = await contents()
    const second = await night()
    expect(second.run.state).toBe('completed')
    expect(await contents()).toEqual(before)
    const asked = (steps: Map<string, Run>): number => steps.get('history')?.requests ?? Number.NaN
    expect(asked(first.steps)).toBeGreaterThan(COMPANIES)
    expect(asked(second.steps)).toBeLessThan(asked(first.steps) * 0.05)
    expect(second.run).toMatchObject({ inserted: 0, updated: 0, gone: 0 })
  })

  it('erases a person who was forgotten at the next pull of the list', async () => {
    const { rows } = await sql<{ email: string; domain: string; email_hash: string }>`
      select email, company_domain as domain, email_hash from warehouse.person where email is not null limit 1`.execute(
      warehouse.db,
    )
    const [person] = rows
    if (!person) throw new Error('nobody with an address was found')
    await forgetPerson(service.db, person.email)
    await run(talMembers)
    const { rows: left } = await sql`
      select from warehouse.person where email_hash = ${person.email_hash}
      union all select from warehouse.history_event where key = ${person.email_hash}`.execute(warehouse.db)
    expect(left).toEqual([])
  })
})

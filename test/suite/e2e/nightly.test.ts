import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { nightly } from '../../../pipelines/nightly.ts'
import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import type { Run } from '../../../pipelines/runner/runs.ts'
import { listSteps } from '../../../pipelines/runner/runs.ts'
import { erasePerson } from '../../../src/privacy/erase-person.ts'
import { TEST_ACTOR } from '../../helpers/clients.ts'
import type { DemoHouse } from '../../helpers/demo-house.ts'
import { openDemoHouse } from '../../helpers/demo-house.ts'

const COMPANIES = 8

let house: DemoHouse
beforeAll(async () => {
  house = await openDemoHouse({ companies: COMPANIES, firms: 60 })
})
afterAll(() => house[Symbol.asyncDispose]())

const run = async (pipeline: Pipeline): Promise<Run> =>
  (await runPipeline(house.deps, pipeline, { requestedBy: 'command', signal: new AbortController().signal })).run

/** Executes a nightly run and returns its steps by name. */
async function night(): Promise<{ run: Run; steps: Map<string, Run> }> {
  const whole = await run(nightly)
  const steps = await listSteps(house.warehouse.db, whole.id)
  return { run: whole, steps: new Map(steps.map((step) => [step.pipeline, step])) }
}

/** Reads all warehouse rows about companies, people, news and changes, with the run that wrote each row. */
async function contents(): Promise<unknown> {
  const { rows } = await sql<{ all: unknown }>`
    select jsonb_agg(row order by row::text) as all from (
      select to_jsonb(company) as row from warehouse.company
      union all select to_jsonb(person) from warehouse.person
      union all select to_jsonb(signal) from warehouse.signal
      union all select to_jsonb(event) from warehouse.history_event event
      union all select to_jsonb(firm) from warehouse.firm
    ) rows`.execute(house.warehouse.db)
  return rows[0]?.all
}

describe('two nightly runs against the real service', () => {
  let first: Awaited<ReturnType<typeof night>>

  it('the first nightly run enriches all due companies', async () => {
    first = await night()
    expect(first.run.state).toBe('completed')
    const { rows } = await sql<{ asked: number; told: number; people: number; news: number; events: number }>`
      select count(*) filter (where enrichment_status <> 'none')::integer as asked,
        count(*) filter (where name is not null and enrichment_status in ('complete', 'partial'))::integer as told,
        (select count(*)::integer from warehouse.person) as people,
        (select count(*)::integer from warehouse.signal) as news,
        (select count(*)::integer from warehouse.history_event) as events
      from warehouse.company where gone_at is null`.execute(house.warehouse.db)
    const [found] = rows
    expect(found?.asked).toBe(COMPANIES)
    // Some of the invented sites are down or disallow crawlers.
    expect(found?.told).toBeGreaterThanOrEqual(COMPANIES / 2)
    expect(found?.people).toBeGreaterThan(COMPANIES)
    expect(found?.news).toBeGreaterThan(0)
    expect(found?.events).toBeGreaterThan(found?.people as number)
    expect(first.steps.get('enrich-due')?.units).toBeGreaterThan(0)
  })

  it('the second nightly run sends few requests, makes no purchases and writes no rows', async () => {
    const before = await contents()
    const second = await night()
    expect(second.run.state).toBe('completed')
    expect(await contents()).toEqual(before)
    const asked = (steps: Map<string, Run>): number => steps.get('history')?.requests ?? Number.NaN
    expect(asked(first.steps)).toBeGreaterThan(COMPANIES)
    expect(asked(second.steps)).toBeLessThan(asked(first.steps) * 0.05)
    expect(second.run).toMatchObject({ inserted: 0, updated: 0, gone: 0 })
  })

  it('a nightly run deletes an erased person at the next pull of the list', async () => {
    const { rows } = await sql<{ email: string; domain: string; email_hash: string }>`
      select email, company_domain as domain, email_hash from warehouse.person where email is not null limit 1`.execute(
      house.warehouse.db,
    )
    const [person] = rows
    if (!person) throw new Error('nobody with an address was found')
    await erasePerson(house.service.db, { email: person.email }, { actor: TEST_ACTOR })
    await run(talMembers)
    const { rows: left } = await sql`
      select from warehouse.person where email_hash = ${person.email_hash}
      union all select from warehouse.history_event where key = ${person.email_hash}`.execute(house.warehouse.db)
    expect(left).toEqual([])
  })
})

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { enrichDue } from '../../../../pipelines/enrich/pipeline.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { runPipeline } from '../../../../pipelines/runner/run-pipeline.ts'
import type { PipelineSettings } from '../../../../pipelines/runner/settings.ts'
import { staleness } from '../../../../pipelines/staleness/pipeline.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'
import type { StrangeHost } from '../../../helpers/strange-host.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()

function addCompany({ world }: StrangeHost, domain: string, enrichedAt?: string, source?: string): void {
  world.tal.push({ domain, ...(source && { source }) })
  world.companies.set(domain, {
    domain,
    enrichment_status: enrichedAt ? 'complete' : 'none',
    ...(enrichedAt && { enriched_at: enrichedAt }),
  })
}

const settings = (own: Partial<PipelineSettings['enrich']>) => ({ enrich: { ...PIPELINE_SETTINGS.enrich, ...own } })

async function pulled(host: StrangeHost, own: Partial<PipelineSettings> = {}): Promise<Bench> {
  const bench = await pipelineBench(host, own)
  await bench.run({ pipeline: talMembers })
  return bench
}

describe('the budget', () => {
  it('reserves keep_units of the budget even if the service allows overage', async () => {
    await using host = await startStrangeHost()
    for (let index = 0; index < 5; index += 1) addCompany(host, `company${index}.example`)
    host.world.units = 10
    host.world.behavior.overageAllowed = true
    await using bench = await pulled(host, settings({ keep_units: 8 }))
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 2, outcome: 'degraded' })
    expect(host.world.units).toBe(8)
  })

  it('stays within the budget when a dry run quotes a higher price', async () => {
    await using host = await startStrangeHost()
    for (let index = 0; index < 3; index += 1) addCompany(host, `company${index}.example`)
    host.world.behavior.price = 9
    await using bench = await pulled(host, settings({ units_per_night: 3 }))
    const run = await bench.run({ pipeline: enrichDue })
    expect(run).toMatchObject({ units: 0, outcome: 'degraded' })
    expect(run.reasons.join()).toContain('quotes 27 units for 3 companies, but only 3 remain in the budget')
    expect(host.world.units).toBe(1000)
  })

  it("applies a budget that is lowered during a run to the run's next submission", async () => {
    await using host = await startStrangeHost()
    for (let index = 0; index < 5; index += 1) addCompany(host, `company${index}.example`)
    // The budget covers four of five due companies, so the four are submitted one by one instead of as the whole list.
    await using bench = await pulled(host, settings({ batch: 1, units_per_night: 4 }))
    await sql`
      create function lower_budget() returns trigger language plpgsql as $$
      begin
        insert into sync.budget (units_per_night, keep_units) values (2, 0) on conflict do nothing;
        return null;
      end $$`.execute(bench.warehouse.db)
    await sql`
      create trigger lowered after insert on warehouse.submission
      for each row execute function lower_budget()`.execute(bench.warehouse.db)
    const run = await bench.run({ pipeline: enrichDue })
    expect(run).toMatchObject({ units: 2, outcome: 'degraded' })
    expect(run.reasons.join()).toContain('the budget was lowered to 2 units per night during the run')
    expect(host.world.units).toBe(998)
  })

  it('spreads stale companies per night, not per run', async () => {
    await using host = await startStrangeHost()
    for (let index = 0; index < 60; index += 1) addCompany(host, `stale${index}.example`, daysAgo(31))
    await using bench = await pulled(host, settings({ spread: 1 }))
    // 60 members over 30 days are 2 per night.
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 2 })
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 0 })
  })

  it('spreads stale companies by the maximum age of each tag', async () => {
    await using host = await startStrangeHost()
    for (let index = 0; index < 70; index += 1) addCompany(host, `key${index}.example`, daysAgo(8), 'key-accounts')
    await using bench = await pulled(host, {
      ...settings({ spread: 1 }),
      freshness: { ...PIPELINE_SETTINGS.freshness, by_source: { 'key-accounts': 7 } },
    })
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 10 })
  })

  it('resubmits companies rejected with 402 on the same night, once units are available', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    await using bench = await pulled(host)
    const { units } = host.world
    let dryRun = true
    host.fault = (request) => {
      if (!request.endsWith('/tal/enrich')) return undefined
      if (!dryRun) return { status: 402 }
      dryRun = false
      return undefined
    }
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 0, outcome: 'degraded' })
    host.fault = undefined
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 1, outcome: 'ok' })
    expect(host.world.units).toBe(units - 1)
  })

  it('keeps separate budgets for two scheduled nightly runs on the same UTC day', async () => {
    await using host = await startStrangeHost()
    for (let index = 0; index < 4; index += 1) addCompany(host, `company${index}.example`)
    await using bench = await pulled(host, settings({ units_per_night: 2 }))
    const at = async (scheduledFor: string) =>
      (
        await runPipeline({ ...bench.deps, timeZone: 'Europe/London' }, enrichDue, {
          requestedBy: 'schedule',
          scheduledFor,
          signal: new AbortController().signal,
        })
      ).run
    // 00:30 in London, before and after daylight saving starts.
    expect(await at('2026-03-29T00:30:00Z')).toMatchObject({ units: 2 })
    expect(await at('2026-03-29T23:30:00Z')).toMatchObject({ units: 2 })
  })

  it('includes fractions of a unit in the budget', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    host.world.behavior.price = 1.5
    await using bench = await pulled(host)
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ state: 'completed', units: 1.5 })
  })
})

describe('a company that is pending at the service without a submission', () => {
  it('enriches a company that is pending without a submission after 12 hours, and counts it as stale or never enriched', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    host.world.companies.set('a.example', { domain: 'a.example', enrichment_status: 'pending' })
    await using bench = await pulled(host, { freshness: { ...PIPELINE_SETTINGS.freshness, target_share: 1 } })
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 0 })
    await sql`update warehouse.company set pending_since = pending_since - interval '13 hours'`.execute(
      bench.warehouse.db,
    )
    await bench.run({ pipeline: talMembers })
    expect((await bench.run({ pipeline: staleness })).reasons.join()).toContain('1 never enriched')
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 1, outcome: 'ok' })
  })
})

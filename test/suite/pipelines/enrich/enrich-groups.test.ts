import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { INVARIANTS } from '../../../../pipelines/checks/invariants.ts'
import { runChecks } from '../../../../pipelines/checks/run-checks.ts'
import { enrichDue } from '../../../../pipelines/enrich/pipeline.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import type { PipelineSettings } from '../../../../pipelines/runner/settings.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'
import type { StrangeHost } from '../../../helpers/strange-host.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'

const ALL = ['company', 'leadership', 'signals'] as const
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
const buys = (own: Partial<PipelineSettings['enrich']>) => ({ enrich: { ...PIPELINE_SETTINGS.enrich, ...own } })

async function hostWith(companies: number): Promise<StrangeHost> {
  const host = await startStrangeHost()
  for (let index = 0; index < companies; index += 1) {
    const domain = `company${index}.example`
    host.world.tal.push({ domain })
    host.world.companies.set(domain, { domain, enrichment_status: 'none' })
  }
  return host
}

async function pulled(host: StrangeHost, own: Partial<PipelineSettings['enrich']>): Promise<Bench> {
  const bench = await pipelineBench(host, buys(own))
  await bench.run({ pipeline: talMembers })
  return bench
}

const bought = async ({ warehouse }: Bench) =>
  (
    await sql`
      select kind, count(*)::integer as requests, sum(cardinality(domains))::integer as companies, sum(units_charged)::integer as units
      from warehouse.submission where state = 'completed' group by kind order by kind`.execute(warehouse.db)
  ).rows

const failing = async ({ warehouse }: Bench, name: string) =>
  (await runChecks(warehouse.db, INVARIANTS)).find((check) => check.name === name)?.failures

describe('enriched field groups', () => {
  it('enriches only company fields by default', async () => {
    await using host = await hostWith(12)
    await using bench = await pulled(host, {})
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 12 })
    expect(await bought(bench)).toEqual([{ kind: 'list', requests: 1, companies: 12, units: 12 }])
  })

  it('submits people and signals once, at their prices, in requests of the maximum size', async () => {
    await using host = await hostWith(60)
    await using bench = await pulled(host, { groups: ALL })
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 60 * 9 })
    expect(await bought(bench)).toEqual([
      { kind: 'leadership', requests: 6, companies: 60, units: 300 },
      { kind: 'list', requests: 1, companies: 60, units: 60 },
      { kind: 'signals', requests: 2, companies: 60, units: 180 },
    ])
    expect(host.world.units).toBe(1000 - 540)
    await bench.run({ pipeline: talMembers })
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 0 })
    expect(host.world.units).toBe(1000 - 540)
    expect(await failing(bench, 'units add up')).toBe(0)
    expect(await failing(bench, 'no company is paid for twice in a night')).toBe(0)
  })

  it('enriches field groups within the budget, company fields first, and reports the deferred groups', async () => {
    await using host = await hostWith(6)
    await using bench = await pulled(host, { groups: ALL, units_per_night: 20 })
    const run = await bench.run({ pipeline: enrichDue })
    expect(run).toMatchObject({
      outcome: 'degraded',
      units: 6 + 2 * 5 + 3,
      reasons: ['the leadership of 4 companies and the signals of 5 companies wait for budget: units_per_night is 20'],
    })
    const { rows } = await sql<{ units: number }>`select units from warehouse.units_forecast limit 1`.execute(
      bench.warehouse.db,
    )
    expect(rows[0]?.units).toBe(4 * 5 + 5 * 3)
  })

  it('field groups are due according to the time of the last search', async () => {
    await using host = await hostWith(3)
    for (const [index, days] of [40, 10].entries())
      Object.assign(host.world.companies.get(`company${index}.example`) ?? {}, {
        enriched_at: daysAgo(1),
        leadership_enriched_at: daysAgo(days),
      })
    await using bench = await pulled(host, { groups: ['leadership'] })
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 10 })
    const [task] = host.world.tasks.values()
    expect(task?.domains).toEqual(['company2.example', 'company0.example'])
  })

  it('does not resubmit field groups every night when nothing was found', async () => {
    await using host = await hostWith(2)
    await using bench = await pulled(host, { groups: ['signals'] })
    host.world.outcome = 'failed'
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'degraded' })
    host.world.outcome = 'completed'
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 0 })
    await sql`update warehouse.submission set intended_at = intended_at - interval '8 days', night = night - 8, submission_key = 'earlier'`.execute(
      bench.warehouse.db,
    )
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 6 })
  })
})

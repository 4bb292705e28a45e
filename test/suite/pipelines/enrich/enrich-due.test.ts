import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { enrichDue } from '../../../../pipelines/enrich/pipeline.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { staleness } from '../../../../pipelines/staleness/pipeline.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'
import type { StrangeHost } from '../../../helpers/strange-host.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'

const DAY = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString()

function addCompany({ world }: StrangeHost, domain: string, enriched?: string, source?: string): void {
  world.tal.push({ domain, ...(source && { source }) })
  world.companies.set(domain, {
    domain,
    enrichment_status: enriched ? 'complete' : 'none',
    ...(enriched && { enriched_at: enriched }),
  })
}

async function pulled(host: StrangeHost, settings: Parameters<typeof pipelineBench>[1] = {}): Promise<Bench> {
  const bench = await pipelineBench(host, settings)
  await bench.run({ pipeline: talMembers })
  await bench.run({ pipeline: staleness })
  return bench
}

const states = async ({ warehouse }: Bench): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await sql<{ domain: string; state: string }>`select domain, state from warehouse.tal_freshness`.execute(
        warehouse.db,
      )
    ).rows.map(({ domain, state }) => [domain, state]),
  )

const submissions = async ({ warehouse }: Bench): Promise<Record<string, unknown>[]> =>
  (
    await sql<
      Record<string, unknown>
    >`select kind, state, domains, units_charged, units_refunded from warehouse.submission order by intended_at`.execute(
      warehouse.db,
    )
  ).rows

const enrich = (own: Partial<typeof PIPELINE_SETTINGS.enrich>) => ({ enrich: { ...PIPELINE_SETTINGS.enrich, ...own } })

describe('freshness', () => {
  it('stores a freshness state and a reason for each member, according to the maximum age of its tag', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'never.example')
    addCompany(host, 'stale.example', daysAgo(40))
    addCompany(host, 'soon.example', daysAgo(28))
    addCompany(host, 'fresh.example', daysAgo(10))
    addCompany(host, 'key.example', daysAgo(10), 'key-accounts')
    await using bench = await pulled(host, {
      freshness: { ...PIPELINE_SETTINGS.freshness, by_source: { 'key-accounts': 7 } },
    })
    expect(await states(bench)).toEqual({
      'never.example': 'never',
      'stale.example': 'stale',
      'soon.example': 'due_soon',
      'fresh.example': 'fresh',
      'key.example': 'stale',
    })
    const { rows } = await sql`select domain, reason from warehouse.due_list order by rank`.execute(bench.warehouse.db)
    expect(rows).toEqual([
      { domain: 'never.example', reason: 'never enriched' },
      { domain: 'stale.example', reason: 'enriched 40 days ago, maximum is 30' },
      { domain: 'key.example', reason: 'enriched 10 days ago, maximum is 7' },
    ])
  })

  it('forecasts the units of the next fourteen nights', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'never.example')
    for (const age of [25, 25, 20]) addCompany(host, `age${age}-${host.world.tal.length}.example`, daysAgo(age))
    await using bench = await pulled(host)
    const { rows } = await sql<{ units: number }>`select units from warehouse.units_forecast order by night`.execute(
      bench.warehouse.db,
    )
    expect(rows).toHaveLength(14)
    expect(rows.map(({ units }) => units).filter((units) => units > 0)).toEqual([1, 2, 1])
  })

  it('freshness below the target degrades the nightly run', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'never.example')
    await using bench = await pipelineBench(host, { freshness: { ...PIPELINE_SETTINGS.freshness, target_share: 0.5 } })
    await bench.run({ pipeline: talMembers })
    const run = await bench.run({ pipeline: staleness })
    expect(run).toMatchObject({ outcome: 'degraded' })
    expect(run.reasons[0]).toContain('0 % of 1 members are fresh')
  })
})

describe('enriching due companies', () => {
  it('submits the whole list when exactly its companies are due, polls the task, and pays for no company twice', async () => {
    await using host = await startStrangeHost()
    for (const domain of ['a.example', 'b.example']) addCompany(host, domain)
    addCompany(host, 'fresh.example', daysAgo(1))
    await using bench = await pulled(host)
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 2 })
    expect(await submissions(bench)).toEqual([
      { kind: 'list', state: 'completed', domains: ['a.example', 'b.example'], units_charged: 2, units_refunded: 0 },
    ])
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 0 })
    await bench.run({ pipeline: talMembers })
    expect(await states(bench)).toMatchObject({ 'a.example': 'fresh', 'b.example': 'fresh' })
    expect(host.world.units).toBe(998)
  })

  it('submits the stalest companies as a batch within units_per_night, and reports the deferred companies', async () => {
    await using host = await startStrangeHost()
    for (const age of [31, 90, 60, 45]) addCompany(host, `age${age}.example`, daysAgo(age))
    await using bench = await pulled(host, enrich({ units_per_night: 3, batch: 2 }))
    const run = await bench.run({ pipeline: enrichDue })
    expect(run).toMatchObject({ outcome: 'degraded', units: 3 })
    expect(run.reasons).toEqual(['1 due companies wait for budget: units_per_night is 3'])
    expect((await submissions(bench)).map(({ domains }) => domains)).toEqual([
      ['age90.example', 'age60.example'],
      ['age45.example'],
    ])
  })

  it('leaves keep_units of the period balance unspent', async () => {
    await using host = await startStrangeHost()
    for (const domain of ['a.example', 'b.example', 'c.example']) addCompany(host, domain)
    host.world.units = 10
    await using bench = await pulled(host, enrich({ keep_units: 8 }))
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'degraded', units: 2 })
    expect(host.world.units).toBe(8)
  })

  it('spreads a list that became stale at once, but not companies that have never been enriched', async () => {
    await using host = await startStrangeHost()
    for (let index = 0; index < 60; index += 1) addCompany(host, `stale${index}.example`, daysAgo(31))
    addCompany(host, 'never.example')
    await using bench = await pulled(host, enrich({ spread: 2 }))
    // 61 members over 30 days are 2.03 per night; twice that, rounded up, is 5, plus the company that has never been
    // enriched.
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 6 })
  })

  it('records a rejected submission, and the next nightly run continues', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    await using bench = await pulled(host)
    host.fault = (request) =>
      request === 'POST /v2/enrich/batch' ||
      (request.endsWith('/tal/enrich') && host.requests.filter((one) => one.endsWith('/tal/enrich')).length > 1)
        ? { status: 402 }
        : undefined
    const refused = await bench.run({ pipeline: enrichDue })
    expect(refused).toMatchObject({ outcome: 'degraded', units: 0 })
    expect(refused.reasons[0]).toContain('the service refused the submission for 1 company')
    expect(await submissions(bench)).toMatchObject([{ state: 'refused' }])
    host.fault = undefined
    await sql`update warehouse.submission set submission_key = 'yesterday', night = night - 1`.execute(
      bench.warehouse.db,
    )
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 1 })
  })

  it('searches for a submission whose response was lost before it submits the company again', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    await using bench = await pulled(host, enrich({ units_per_night: 1000 }))
    // The service accepts the submission, but the connection breaks before the response.
    const lost = loseAnswerTo(host)
    const first = await bench.run({ pipeline: enrichDue })
    expect(first.outcome).toBe('degraded')
    lost.stop()
    expect(host.world.units).toBe(999)
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok' })
    expect(host.world.units).toBe(999)
    expect(await submissions(bench)).toMatchObject([{ state: 'completed', units_charged: 1 }])
  })

  it('reports a failed task, and does not resubmit its company the next day', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    host.world.outcome = 'failed'
    await using bench = await pulled(host)
    const run = await bench.run({ pipeline: enrichDue })
    expect(run.outcome).toBe('degraded')
    expect(await states(bench)).toEqual({ 'a.example': 'failing' })
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ units: 0 })
  })

  it('leaves a long task to the next nightly run', async () => {
    await using host = await startStrangeHost()
    addCompany(host, 'a.example')
    host.world.pollsToFinish = 50
    await using bench = await pulled(host, enrich({ wait_minutes: 0 }))
    const run = await bench.run({ pipeline: enrichDue })
    expect(run.reasons[0]).toContain('the next night records its outcome')
    expect(await states(bench)).toEqual({ 'a.example': 'pending' })
    host.world.pollsToFinish = 1
    expect(await bench.run({ pipeline: enrichDue })).toMatchObject({ outcome: 'ok', units: 0 })
    expect(await submissions(bench)).toMatchObject([{ state: 'completed' }])
  })
})

/** Makes the host accept submissions and close the connection in the middle of the response. */
function loseAnswerTo(host: StrangeHost): { stop(): void } {
  const { units } = host.world
  const submit = (domains: string[]): void => {
    host.world.units -= domains.length
    const id = `lost-${host.world.tasks.size}`
    host.world.tasks.set(id, {
      id,
      type: 'enrichment',
      status: 'queued',
      domains,
      polls: 0,
      created_at: new Date().toISOString(),
    })
  }
  let quoted = false
  host.fault = (request) => {
    if (!request.endsWith('/tal/enrich')) return undefined
    if (!quoted) {
      quoted = true // the dry run
      return undefined
    }
    if (host.world.units === units) submit(host.world.tal.map(({ domain }) => domain))
    return 'cut'
  }
  return {
    stop() {
      host.fault = undefined
    },
  }
}

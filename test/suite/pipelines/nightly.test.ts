import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { nightly } from '../../../pipelines/nightly.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import { claimRun, listRuns, listSteps } from '../../../pipelines/runner/runs.ts'
import type { Schedule } from '../../../pipelines/runner/schedule.ts'
import { runDue } from '../../../pipelines/runner/scheduler.ts'
import { staleness } from '../../../pipelines/staleness/pipeline.ts'
import { NIGHTLY_STEPS } from '../../../pipelines/steps.ts'
import { stepsText } from '../../../src/cli/support/run-text.ts'
import { clockAt } from '../../helpers/clock-at.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { StrangeHost } from '../../helpers/strange-host.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'

async function hostWithAll(): Promise<StrangeHost> {
  const host = await startStrangeHost()
  for (let index = 0; index < 30; index += 1) {
    const domain = `company${index}.example`
    host.world.tal.push({ domain })
    host.world.companies.set(domain, { domain, enrichment_status: 'none' })
    host.world.firms.push({
      sec_number: `801-${10_000 + index}`,
      legal_name: domain,
      region: 'NYRO',
      aum_total_usd: index,
    })
  }
  return host
}

describe('a night', () => {
  it('a nightly run executes all steps in order against a host that implements only the interface', async () => {
    await using host = await hostWithAll()
    await using bench = await pipelineBench(host)
    const run = await bench.run({ pipeline: nightly })
    expect(run).toMatchObject({ outcome: 'ok', units: 30 })
    const steps = await listSteps(bench.warehouse.db, run.id)
    expect(steps.map(({ pipeline, outcome }) => [pipeline, outcome])).toEqual(
      NIGHTLY_STEPS.map(({ name }) => [name, 'ok']),
    )
    const second = await bench.run({ pipeline: nightly })
    expect(second).toMatchObject({ outcome: 'ok', units: 0, inserted: 0, updated: 0, gone: 0 })
  })

  it('a nightly run resumes after an interruption without repeating completed steps', async () => {
    await using host = await hostWithAll()
    await using bench = await pipelineBench(host)
    const controller = new AbortController()
    host.fault = (request) => {
      if (request === 'GET /v2/usage') controller.abort(new Error('stop'))
      return undefined
    }
    expect(await bench.run({ pipeline: nightly, signal: controller.signal })).toMatchObject({ state: 'interrupted' })
    host.fault = undefined
    host.requests.length = 0
    const run = await bench.run({ pipeline: nightly })
    expect(run.outcome).toBe('ok')
    const steps = await listSteps(bench.warehouse.db, run.id)
    expect(steps.map(({ pipeline }) => pipeline)).toEqual([
      'enrich-due',
      'refresh-members',
      'staleness',
      'history',
      'repair',
      'spending',
      'expectations',
      'export',
    ])
    expect(host.requests).not.toContain('POST /firms')
    expect(host.world.units).toBe(970)
  })

  it('a nightly run is degraded when a step fails, names the step, and skips enrichment when the list could not be pulled', async () => {
    await using host = await hostWithAll()
    host.fault = (request) => (request === 'GET /v2/clients/me/tal/companies' ? { status: 500 } : undefined)
    await using bench = await pipelineBench(host)
    const run = await bench.run({ pipeline: nightly })
    expect(run.outcome).toBe('degraded')
    expect(run.reasons.join('\n')).toMatch(/tal-members failed: .*500/)
    expect(run.reasons).toContain('enrich-due was skipped because the list could not be pulled')
    expect(host.world.units).toBe(1000)
  })

  it('a nightly run fails when neither members nor firms can be pulled', async () => {
    await using host = await hostWithAll()
    host.fault = () => ({ status: 503 })
    await using bench = await pipelineBench(host)
    expect(await bench.run({ pipeline: nightly })).toMatchObject({ state: 'failed', outcome: 'failed' })
  })
})

const RETRYING = { nightly: { retry_minutes: 0.001, max_retry_minutes: 0.002, deadline_hours: 1, repair_nights: 0 } }

describe('a scheduled night', () => {
  const scheduled = async (bench: Awaited<ReturnType<typeof pipelineBench>>, settings: object = {}) =>
    (
      await runPipeline({ ...bench.deps, settings: { ...bench.deps.settings, ...RETRYING, ...settings } }, nightly, {
        requestedBy: 'schedule',
        scheduledFor: '2031-03-01T02:00:00Z',
        signal: new AbortController().signal,
      })
    ).run

  it.each([
    'tal/companies',
    'firms',
    'tal/enrich',
  ])('a nightly run retries its steps until the outage of %s ends', async (path) => {
    await using host = await hostWithAll()
    await using bench = await pipelineBench(host)
    let outage = 12
    host.fault = (request) => {
      if (!request.endsWith(path)) return undefined
      outage -= 1
      return outage >= 0 ? { status: 500 } : undefined
    }
    const run = await scheduled(bench)
    expect(run).toMatchObject({ state: 'completed', outcome: 'ok', inserted: 90, units: 30 })
    const steps = await listSteps(bench.warehouse.db, run.id)
    expect(steps.filter(({ state }) => state === 'failed')).not.toHaveLength(0)
    expect(steps.at(-1)).toMatchObject({ pipeline: 'export', outcome: 'ok' })
    expect(stepsText(run, steps)).toMatch(/^ {2}\S+ \S+ (failed|degraded): .*500/m)
  })

  it('a nightly run does not retry a step that requires manual intervention', async () => {
    await using host = await hostWithAll()
    await using bench = await pipelineBench(host)
    host.fault = (request) => (request === 'POST /firms' ? { status: 401 } : undefined)
    const run = await scheduled(bench)
    expect(run).toMatchObject({ state: 'completed', outcome: 'degraded' })
    expect((await listSteps(bench.warehouse.db, run.id)).filter(({ pipeline }) => pipeline === 'firms')).toHaveLength(1)
  })

  it('a nightly run gives up at its deadline, and reports the deadline', async () => {
    await using host = await hostWithAll()
    await using bench = await pipelineBench(host)
    host.fault = (request) => (request === 'POST /firms' ? { status: 500 } : undefined)
    let waited = 0
    bench.deps.sleep = async (milliseconds) => {
      waited += milliseconds
    }
    bench.deps.clock = { now: async () => new Date(Date.now() + waited) }
    const run = await scheduled(bench, {
      nightly: { retry_minutes: 5, max_retry_minutes: 60, deadline_hours: 1, repair_nights: 0 },
    })
    expect(run).toMatchObject({ state: 'completed', outcome: 'degraded' })
    expect(run.reasons.join()).toMatch(/firms failed: .*500.* \(gave up after \d+ attempts\)/)
  })

  it('a nightly run waits for a step that another process is running', async () => {
    await using host = await hostWithAll()
    await using bench = await pipelineBench(host)
    await claimRun(bench.warehouse.db, { pipeline: 'firms', requestedBy: 'command', startedAt: new Date() })
    await sql`update sync.run set holder = '{"host": "elsewhere", "pid": 1, "namespace": "", "started": ""}'`.execute(
      bench.warehouse.db,
    )
    setTimeout(
      () =>
        void sql`update sync.run set state = 'completed', outcome = 'ok', ended_at = now() where pipeline = 'firms' and state = 'running'`.execute(
          bench.warehouse.db,
        ),
      500,
    )
    const run = await scheduled(bench)
    expect(run).toMatchObject({ state: 'completed', outcome: 'ok' })
    expect((await listSteps(bench.warehouse.db, run.id)).map(({ pipeline }) => pipeline)).toContain('firms')
  })

  it('a nightly run started by a command exports even if another process is running a step', async () => {
    await using host = await hostWithAll()
    await using bench = await pipelineBench(host)
    await claimRun(bench.warehouse.db, { pipeline: 'firms', requestedBy: 'command', startedAt: new Date() })
    await sql`update sync.run set holder = '{"host": "elsewhere", "pid": 1, "namespace": "", "started": ""}'`.execute(
      bench.warehouse.db,
    )
    const run = await bench.run({ pipeline: nightly })
    expect(run.reasons.join()).toContain('firms did not run: firms is already running')
    expect((await listSteps(bench.warehouse.db, run.id)).at(-1)).toMatchObject({ pipeline: 'export', outcome: 'ok' })
  })
})

describe('catching up', () => {
  it.each([
    ['skip', ['2031-03-01', '2031-03-06']],
    ['latest', ['2031-03-01', '2031-03-05', '2031-03-06']],
    ['all', ['2031-03-01', '2031-03-02', '2031-03-03', '2031-03-04', '2031-03-05', '2031-03-06']],
  ] as const)('catches up by the policy %s after an outage of several days, and starts no scheduled run twice', async (policy, nights) => {
    await using host = await startStrangeHost()
    await using bench = await pipelineBench(host)
    const at = async (moment: string) =>
      await Promise.all(
        [1, 2].map(() =>
          runDue(
            { ...bench.deps, clock: clockAt(moment) },
            { cron: '0 2 * * *', time_zone: 'UTC', catch_up: policy },
            [staleness],
            new AbortController().signal,
          ),
        ),
      )
    await at('2031-03-01T02:00:30Z')
    await at('2031-03-01T02:01:00Z')
    for (const minute of [0, 1, 2, 3, 4]) await at(`2031-03-05T14:0${minute}:00Z`) // three and a half days later
    await at('2031-03-06T02:05:00Z')
    const runs = await listRuns(bench.warehouse.db, { pipeline: 'staleness', limit: 100 })
    expect(runs.map(({ scheduled_for }) => scheduled_for?.slice(0, 10)).sort()).toEqual(nights)
  })

  it('starts one nightly run per night through both daylight saving changes', async () => {
    await using host = await startStrangeHost()
    await using bench = await pipelineBench(host)
    const plan: Schedule = {
      cron: '30 2 * * *',
      time_zone: 'America/New_York',
      catch_up: 'latest',
    }
    let now = Date.parse('2031-01-01T12:00:00Z')
    const end = Date.parse('2032-01-01T12:00:00Z')
    const wholeYear = process.env['TALHOUSE_TEST_WHOLE'] === 'true'
    // The sample covers the days around a daylight saving change.
    if (!wholeYear) now = Date.parse('2031-03-07T12:00:00Z')
    for (; now < (wholeYear ? end : Date.parse('2031-03-12T12:00:00Z')); now += 6 * 3_600_000)
      await runDue({ ...bench.deps, clock: clockAt(now) }, plan, [staleness], new AbortController().signal)
    const days = (await listRuns(bench.warehouse.db, { pipeline: 'staleness', limit: 500 })).map(({ scheduled_for }) =>
      new Date(scheduled_for as string).toLocaleDateString('en-CA', { timeZone: 'America/New_York' }),
    )
    expect(new Set(days).size).toBe(days.length)
    expect(days).toHaveLength(wholeYear ? 365 : 5)
  })
})

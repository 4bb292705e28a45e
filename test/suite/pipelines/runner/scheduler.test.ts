import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { firms } from '../../../../pipelines/firms/pipeline.ts'
import { createRateBudget } from '../../../../pipelines/host/rate-budget.ts'
import { findPipeline, PIPELINES } from '../../../../pipelines/registry.ts'
import { warehouseRateStore } from '../../../../pipelines/runner/rate-store.ts'
import { listRuns } from '../../../../pipelines/runner/runs.ts'
import type { Schedule } from '../../../../pipelines/runner/schedule.ts'
import { lastDue, nextDue } from '../../../../pipelines/runner/schedule.ts'
import { runDue, runScheduler } from '../../../../pipelines/runner/scheduler.ts'
import { NIGHTLY_STEPS } from '../../../../pipelines/steps.ts'
import { clockAt } from '../../../helpers/clock-at.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms } from '../../../helpers/invented-firms.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'

const NIGHTLY: Schedule = { cron: '0 2 * * *', time_zone: 'UTC', catch_up: 'latest' }
const never = new AbortController().signal
const at = (text: string) => new Date(text)

describe('the schedule', () => {
  it.each([
    ['2026-11-21T02:00:00Z', '2026-11-21T02:00:00.000Z'],
    ['2026-11-21T01:59:59Z', '2026-11-20T02:00:00.000Z'],
    ['2026-11-23T12:00:00Z', '2026-11-23T02:00:00.000Z'],
  ])('at %s, the schedule was last due at %s', (now, due) => {
    expect(lastDue(NIGHTLY, at(now)).toISOString()).toBe(due)
  })

  it('the schedule keeps the local hour of its time zone', () => {
    const schedule = { ...NIGHTLY, time_zone: 'America/New_York' }
    expect(nextDue(schedule, at('2026-07-01T00:00:00Z')).toISOString()).toBe('2026-07-01T06:00:00.000Z')
    expect(nextDue(schedule, at('2026-12-01T00:00:00Z')).toISOString()).toBe('2026-12-01T07:00:00.000Z')
  })

  it('names the setting of an invalid cron expression', () => {
    expect(() => lastDue({ ...NIGHTLY, cron: 'at night' }, new Date())).toThrow(/TALHOUSE_SCHEDULE_CRON/)
  })
})

describe('the scheduler', () => {
  it('the scheduler runs a missed night once, with two schedulers', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    const deps = { ...bench.deps, clock: clockAt('2026-11-21T09:00:00Z') }
    await Promise.all([runDue(deps, NIGHTLY, [firms], never), runDue(deps, NIGHTLY, [firms], never)])
    await runDue(deps, NIGHTLY, [firms], never)
    const runs = await listRuns(bench.warehouse.db, {})
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatchObject({
      scheduled_for: '2026-11-21T02:00:00.000000Z',
      requested_by: 'schedule',
      outcome: 'ok',
    })
    await runDue({ ...deps, clock: clockAt('2026-11-22T02:00:30Z') }, NIGHTLY, [firms], never)
    expect(await listRuns(bench.warehouse.db, {})).toHaveLength(2)
  })

  it('the scheduler runs due pipelines on startup and stops on the signal', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    const stop = new AbortController()
    const running = runScheduler(bench.deps, NIGHTLY, [firms], stop.signal)
    await expect
      .poll(async () => (await listRuns(bench.warehouse.db, {}))[0]?.state, { timeout: 20_000 })
      .toBe('completed')
    stop.abort()
    await running
  })

  it('the scheduler knows every nightly step, in order, and the nightly run', () => {
    expect(PIPELINES.map(({ name }) => name)).toEqual([...NIGHTLY_STEPS.map(({ name }) => name), 'nightly'])
    for (const { name } of PIPELINES) expect(findPipeline(name).name).toBe(name)
    expect(() => findPipeline('firm')).toThrow('Unknown pipeline firm')
  })
})

describe('the shared rate', () => {
  it('all processes of a warehouse share the rate to the service', async () => {
    await using bench = await pipelineBench({ url: 'http://127.0.0.1:1' })
    const budget = () =>
      createRateBudget(warehouseRateStore(bench.warehouse.db, 'host', { perSecond: 100, burst: 1 }), 5)
    const budgets = [budget(), budget(), budget()]
    const start = performance.now()
    await Promise.all(budgets.flatMap((one) => Array.from({ length: 15 }, () => one.take())))
    expect(performance.now() - start).toBeGreaterThan((44 / 100) * 1000 - 50)
    await budgets[0]?.pause(300)
    const paused = performance.now()
    await budget().take()
    expect(performance.now() - paused).toBeGreaterThan(250)
  })

  it('the shared rate does not wait for hours after the database clock is set back', async () => {
    await using bench = await pipelineBench({ url: 'http://127.0.0.1:1' })
    const store = warehouseRateStore(bench.warehouse.db, 'host', { perSecond: 100, burst: 1 })
    await store.reserve(1)
    await sql`update sync.rate_budget set next_at = next_at + interval '3 hours'`.execute(bench.warehouse.db)
    expect((await store.reserve(1)).startsIn).toBeLessThanOrEqual(0)
    expect((await store.reserve(1)).startsIn).toBeLessThan(1000)
    await store.pause(120_000)
    expect((await store.reserve(1)).startsIn).toBeGreaterThan(60_000)
  })
})

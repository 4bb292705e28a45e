import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { claimRun, listRuns } from '../../../pipelines/runner/runs.ts'
import type { Schedule } from '../../../pipelines/runner/schedule.ts'
import { lastDue } from '../../../pipelines/runner/schedule.ts'
import { runDue } from '../../../pipelines/runner/scheduler.ts'
import { staleness } from '../../../pipelines/staleness/pipeline.ts'
import { resumeWalk } from '../../../pipelines/walk/walks.ts'
import { updateClient } from '../../../src/auth/clients.ts'
import { KeyRing } from '../../../src/auth/key-ring.ts'
import type { Db } from '../../../src/db/database.ts'
import { databaseClock } from '../../../src/lib/database-clock.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { pendingDelivery, recordAttempt } from '../../../src/webhooks/deliveries.ts'
import { enqueueNotification } from '../../../src/webhooks/enqueue.ts'
import { createItemEnricher } from '../../../src/worker/enrich.ts'
import { clockAt } from '../../helpers/clock-at.ts'
import { eventually } from '../../helpers/eventually.ts'
import { inventedSource } from '../../helpers/invented-source.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { startService } from '../../helpers/service.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'
import { startWorkerOn } from '../../helpers/work.ts'

const MINUTE = 60_000
const NOWHERE = { url: 'http://127.0.0.1:1' }
const never = new AbortController().signal
const nightly = (cron: string): Schedule => ({ cron, time_zone: 'UTC', catch_up: 'latest' })

describe.each([
  ['ahead of', 15],
  ['behind', -15],
])("a process whose clock is 15 minutes %s the database's", (_, minutes) => {
  const moveClock = (database: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(database + minutes * MINUTE) })
  beforeEach(() => void moveClock(Date.now()))
  afterEach(() => void vi.useRealTimers())

  it('a process with a wrong clock runs every night once and not before it is due, alongside a process with a correct clock', async () => {
    await using host = await startStrangeHost()
    await using bench = await pipelineBench(host)
    const served: (string | undefined)[] = []
    for (const day of ['2031-03-08', '2031-03-09', '2031-03-10'])
      for (const time of ['01:40', '01:55', '02:00', '02:10', '02:20', '12:00']) {
        const moment = Date.parse(`${day}T${time}:00Z`)
        const deps = { ...bench.deps, clock: clockAt(moment) }
        moveClock(moment)
        await Promise.all([1, 2].map(() => runDue(deps, nightly('0 2 * * *'), [staleness], never)))
        vi.setSystemTime(moment)
        await runDue(deps, nightly('0 2 * * *'), [staleness], never)
        served.push((await listRuns(bench.warehouse.db, {}))[0]?.scheduled_for?.slice(0, 10))
      }
    // A pipeline that has never run starts immediately for the previous night.
    expect(served).toEqual([
      ...['2031-03-07', '2031-03-07', '2031-03-08', '2031-03-08', '2031-03-08', '2031-03-08'],
      ...['2031-03-08', '2031-03-08', '2031-03-09', '2031-03-09', '2031-03-09', '2031-03-09'],
      ...['2031-03-09', '2031-03-09', '2031-03-10', '2031-03-10', '2031-03-10', '2031-03-10'],
    ])
    expect(await listRuns(bench.warehouse.db, { limit: 100 })).toHaveLength(4)
  })

  it("starts the nightly run that is due by the database's clock", async () => {
    await using host = await startStrangeHost()
    await using bench = await pipelineBench(host)
    const schedule = nightly('*/10 * * * *')
    const due = async () => lastDue(schedule, await databaseClock(bench.warehouse.db).now()).toISOString()
    const before = await due()
    await runDue(bench.deps, schedule, [staleness], never)
    const between = await due()
    await runDue(bench.deps, schedule, [staleness], never)
    const runs = await listRuns(bench.warehouse.db, {})
    const moments = new Set([before, between, await due()])
    for (const { scheduled_for } of runs) expect(moments).toContain(scheduled_for?.replace('000Z', 'Z'))
    expect(runs.length).toBeLessThanOrEqual(moments.size)
  })

  it('a process with a wrong clock abandons a run without a heartbeat for 30 seconds, but no live run', async () => {
    await using bench = await pipelineBench(NOWHERE)
    const { db } = bench.warehouse
    const claim = { pipeline: 'staleness', requestedBy: 'command', startedAt: await bench.deps.clock.now() } as const
    await claimRun(db, claim)
    await db
      .updateTable('sync.run')
      .set({ holder: JSON.stringify({ host: 'elsewhere', pid: 1, started: '' }) })
      .execute()
    await expect(bench.run({ pipeline: staleness })).rejects.toMatchObject({ code: 'conflict' })
    await sql`update sync.run set heartbeat_at = now() - interval '31 seconds'`.execute(db)
    const run = await bench.run({ pipeline: staleness })
    expect(run).toMatchObject({ outcome: 'ok' })
    expect(run.started_at <= (run.ended_at as string)).toBe(true)
    const { rows } = await sql`
      select night from warehouse.freshness_by_night where night not in (${run.started_at}::timestamptz::date, now()::date)`.execute(
      db,
    )
    expect(rows).toEqual([])
  })

  it('a process with a wrong clock resumes a walk started within 12 hours, but no older walk', async () => {
    await using bench = await pipelineBench(NOWHERE)
    const { db } = bench.warehouse
    const run = await claimRun(db, {
      pipeline: 'firms',
      requestedBy: 'command',
      startedAt: await bench.deps.clock.now(),
    })
    const { walk } = await resumeWalk(db, 'firms', run?.id as number)
    await sql`update sync.walk set started_at = started_at - interval '11 hours 50 minutes'`.execute(db)
    expect((await resumeWalk(db, 'firms', run?.id as number)).walk.id).toBe(walk.id)
    await sql`update sync.walk set started_at = started_at - interval '10 minutes'`.execute(db)
    expect((await resumeWalk(db, 'firms', run?.id as number)).walk.id).not.toBe(walk.id)
  })

  it("dates enrichment by the database's clock, so freshness lasts as long as configured", async () => {
    await using service = await startService()
    const { db } = service
    const began = await databaseClock(db).now()
    const enrichItem = createItemEnricher({
      db,
      providers: [inventedSource],
      log: silentLog,
      limits: { people: 5, articles: 5 },
      freshDays: 30,
    })
    await using _worker = startWorkerOn(service, enrichItem)
    const company = { body: { domain: 'acme.example', include_leadership: true } }
    const person = { body: { email: 'person0@acme.example' } }
    await submitAndWait(service, '/v2/search/leadership', { body: { domains: ['acme.example'] } })
    await submitAndWait(service, '/v2/enrich/company', company)
    const { rows } = await sql<{ at: string }>`
      select enriched_at as at from company union all
      select checked_at from provider_result union all
      select observed_at from observation union all
      select observed_at from person_observation union all
      select enriched_at from person`.execute(db)
    const ended = (await databaseClock(db).now()).getTime()
    expect(rows.length).toBeGreaterThan(5)
    for (const { at } of rows) {
      expect(Date.parse(at)).toBeGreaterThanOrEqual(began.getTime())
      expect(Date.parse(at)).toBeLessThanOrEqual(ended)
    }
    const old = (age: string) =>
      sql`update company set enriched_at = now() - ${age}::interval, leadership_enriched_at = now() - ${age}::interval`.execute(
        db,
      )
    const oldPerson = (age: string) => sql`update person set enriched_at = now() - ${age}::interval`.execute(db)
    await old('29 days 23 hours 50 minutes')
    await oldPerson('29 days 23 hours 50 minutes')
    expect(await charged(service, '/v2/enrich/company', company)).toBe(0)
    expect(await charged(service, '/v2/enrich/person', person)).toBe(0)
    await old('30 days 10 minutes')
    await oldPerson('30 days 10 minutes')
    expect(await charged(service, '/v2/enrich/person', person)).toBe(1)
    expect(await charged(service, '/v2/enrich/company', company)).toBeGreaterThan(0)
  })

  it("ends trials and retries webhooks by the database's clock", async () => {
    await using service = await startService()
    const { db, queue } = service
    const authenticate = async (key: string) => await new KeyRing(db).authenticate(key)
    const [client] = await db.selectFrom('client').select('client_id').execute()
    const clientId = client?.client_id as string
    await updateClient(db, clientId, { trial_ends_at: await inMinutes(db, 10) })
    expect(await authenticate(service.key)).toMatchObject({ clientId })
    await updateClient(db, clientId, { trial_ends_at: await inMinutes(db, -10) })
    await expect(authenticate(service.key)).rejects.toMatchObject({ code: 'trial_expired' })

    const taskId = '00000000-0000-4000-8000-000000000001'
    await enqueueNotification(db, queue, {
      clientId,
      taskId,
      taskType: 'enrich_company',
      status: 'completed',
      url: 'https://hook.example',
    })
    const { delivery_id } = await db.selectFrom('webhook_delivery').select('delivery_id').executeTakeFirstOrThrow()
    const delivery = await pendingDelivery(db, { client_id: clientId, delivery_id })
    if (!delivery) throw new Error('the delivery is not pending')
    const failure = { verdict: 'failed', status: 500, error: null, retryAfter: 0, milliseconds: 1 } as const
    await db.transaction().execute((trx) => recordAttempt(trx, { queue, schedule: [0, 600] }, delivery, failure))
    const { rows } = await sql<{ same: boolean; due: boolean }>`
      select job.start_after = next_attempt_at as same,
        next_attempt_at between now() + interval '8 minutes' and now() + interval '12 minutes' as due
      from webhook_delivery, pgboss.job where job.name = 'webhook' order by start_after desc limit 1`.execute(db)
    expect(rows).toEqual([{ same: true, due: true }])
  })
})

type Service = Awaited<ReturnType<typeof startService>>

async function submitAndWait(service: Service, path: string, request: { body: object }): Promise<void> {
  const { body } = await service.call<{ task_id: string }>('POST', path, request)
  await eventually('the task ends', async () => {
    const task = await service.call<{ completed_at: string | null }>('GET', `/v2/tasks/${body.task_id}`)
    return task.body.completed_at
  })
}

async function charged(service: Service, path: string, request: { body: object }): Promise<number> {
  const { body } = await service.call<{ units_charged: number }>('POST', path, request)
  return body.units_charged
}

async function inMinutes(db: Db, minutes: number): Promise<string> {
  return new Date((await databaseClock(db).now()).getTime() + minutes * MINUTE).toISOString()
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { planBackfill } from '../../../../pipelines/backfill/plan.ts'
import { runBackfill } from '../../../../pipelines/backfill/run-backfill.ts'
import { moveTo, readBackfill, resetFailed, saveBackfill } from '../../../../pipelines/backfill/store.ts'
import type { Verifiable } from '../../../../pipelines/compare/difference.ts'
import { firms } from '../../../../pipelines/firms/pipeline.ts'
import { history } from '../../../../pipelines/history/pipeline.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { withDatabase } from '../../../../src/lib/postgres.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'
import { hostWithHistory, MEMBERS } from '../../../helpers/two-years-of-history.ts'

const VICTIM = join(import.meta.dirname, '../../../chaos/backfill-victim.ts')
const DAY = 86_400_000

const plan = async ({ warehouse: { db } }: Bench, what: Verifiable, from?: string) =>
  await saveBackfill(db, await planBackfill(db, what, { from }, PIPELINE_SETTINGS))

const watermarks = async ({ warehouse: { db } }: Bench) =>
  (
    await sql`select pipeline, subject, value, moved_at from sync.watermark where subject not like 'whole/%' order by 1, 2`.execute(
      db,
    )
  ).rows

const countEvents = async ({ warehouse: { db } }: Bench) =>
  (await sql<{ events: number }>`select count(*)::integer as events from warehouse.history_event`.execute(db)).rows[0]
    ?.events

const yearAgo = () => new Date(Date.now() - 365 * DAY).toISOString()

describe('a backfill', () => {
  it('a backfill of one year is planned, killed, resumed and finished without changing the watermarks of nightly runs', async () => {
    await using host = await hostWithHistory()
    // After the first pull, the host is known to send totals, so no probe is needed at the end of a history.
    host.world.behavior.history = { total: true }
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    // The nightly runs have pulled only the last few weeks.
    await bench.run({ pipeline: history })
    await sql`delete from warehouse.history_event where changed_at < now() - interval '30 days'`.execute(
      bench.warehouse.db,
    )
    const before = await watermarks(bench)
    expect(before).toHaveLength(MEMBERS)

    const id = await plan(bench, 'history', yearAgo())
    expect(await readBackfill(bench.warehouse.db, id)).toMatchObject({
      state: 'planned',
      parts: 3,
      estimated_requests: MEMBERS,
      estimated_units: 0,
    })
    host.requests.length = 0
    const url = withDatabase(inject('postgresUrl'), new URL(bench.warehouse.url).pathname.slice(1))
    const victim = spawn(process.execPath, [VICTIM, url, host.url, String(id)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    let asked = 0
    host.fault = () => {
      asked += 1
      // The host stops responding, so the result does not depend on when the signal arrives.
      if (asked === 30) victim.kill('SIGKILL')
      return asked < 30 ? undefined : 'silent'
    }
    await once(victim, 'exit')
    host.fault = undefined
    expect(await readBackfill(bench.warehouse.db, id)).toMatchObject({ state: 'running', parts_done: 1 })

    const resumed = await bench.run({ pipeline: runBackfill(id) })
    expect(resumed).toMatchObject({ outcome: 'ok', requests: 40 })
    const done = await readBackfill(bench.warehouse.db, id)
    expect(done).toMatchObject({ state: 'completed', parts_done: 3, parts_failed: 0 })
    expect(Math.abs(done.requests / done.estimated_requests - 1)).toBeLessThan(0.05)
    // Ten of the thirty requests belong to the interrupted part; a few were in flight, or were sent after the signal.
    expect(done.lost_requests).toBeGreaterThanOrEqual(6)
    expect(done.lost_requests).toBeLessThan(20)
    expect(done.lost_seconds).toBeGreaterThan(0)
    expect(await countEvents(bench)).toBe(MEMBERS * 52)
    expect(await watermarks(bench)).toEqual(before)
    expect(await bench.run({ pipeline: runBackfill(id) })).toMatchObject({ state: 'failed', error_code: 'conflict' })
  })

  it('a backfill that is paused before its start does nothing until it is resumed', async () => {
    await using host = await hostWithHistory()
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    const id = await plan(bench, 'history', yearAgo())
    expect(await moveTo(bench.warehouse.db, id, 'paused')).toBe(true)
    expect(await bench.run({ pipeline: runBackfill(id) })).toMatchObject({ outcome: 'degraded', requests: 0 })
    expect(await readBackfill(bench.warehouse.db, id)).toMatchObject({ state: 'paused', parts_done: 0 })
  })

  it('a backfill is paused between two parts and resumed', async () => {
    await using host = await hostWithHistory()
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    const id = await plan(bench, 'history', yearAgo())
    let paused: Promise<boolean> | undefined
    host.fault = () => {
      paused ??= moveTo(bench.warehouse.db, id, 'paused')
      return undefined
    }
    const run = await bench.run({ pipeline: runBackfill(id) })
    await paused
    expect(run).toMatchObject({
      outcome: 'degraded',
      reasons: [`paused: run \`talhouse backfill resume ${id}\` to continue`],
    })
    expect((await readBackfill(bench.warehouse.db, id)).parts_done).toBe(1)
    host.fault = undefined
    await moveTo(bench.warehouse.db, id, 'running')
    expect(await bench.run({ pipeline: runBackfill(id) })).toMatchObject({ outcome: 'ok' })
    expect(await readBackfill(bench.warehouse.db, id)).toMatchObject({ state: 'completed', parts_done: 3 })
  })

  it('a backfill continues after a failed part and retries the part on request', async () => {
    await using host = await hostWithHistory()
    await using bench = await pipelineBench(host)
    await bench.run({ pipeline: talMembers })
    const id = await plan(bench, 'history', yearAgo())
    host.fault = (request) => (request === 'GET /v2/companies/company5.example/history' ? { status: 500 } : undefined)
    expect(await bench.run({ pipeline: runBackfill(id) })).toMatchObject({ outcome: 'degraded' })
    expect(await readBackfill(bench.warehouse.db, id)).toMatchObject({
      state: 'failed',
      parts_done: 2,
      parts_failed: 1,
    })
    host.fault = undefined
    expect(await resetFailed(bench.warehouse.db, id)).toBe(1)
    expect(await bench.run({ pipeline: runBackfill(id) })).toMatchObject({ outcome: 'ok' })
    expect(await countEvents(bench)).toBe(MEMBERS * 52)
  })

  it.each(['members', 'firms'] as const)('a backfill fetches all %s, as planned', async (what) => {
    await using host = await hostWithHistory()
    await using bench = await pipelineBench(host)
    for (const pipeline of [talMembers, firms]) await bench.run({ pipeline })
    await sql`update warehouse.firm set legal_name = 'x' where sec_number = '801-10007'`.execute(bench.warehouse.db)
    const id = await plan(bench, what)
    expect(await bench.run({ pipeline: runBackfill(id) })).toMatchObject({
      outcome: 'ok',
      updated: what === 'firms' ? 1 : 0,
    })
    const done = await readBackfill(bench.warehouse.db, id)
    expect(done.requests).toBe(done.estimated_requests)
  })
})

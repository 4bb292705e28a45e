import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openCommandLine } from '../../helpers/command-line.ts'
import { eventually } from '../../helpers/eventually.ts'
import type { StrangeHost } from '../../helpers/strange-host.ts'
import { hostWithHistory, MEMBERS } from '../../helpers/two-years-of-history.ts'

const DAY = 86_400_000
const yearAgo = () => new Date(Date.now() - 365 * DAY).toISOString()

/** Makes the host stop responding at this request, so that part of the backfill remains unfinished. */
function silenceFrom(host: StrangeHost, number: number): void {
  let seen = 0
  host.fault = () => {
    seen += 1
    return seen < number ? undefined : 'silent'
  }
}

describe('talhouse backfill', () => {
  it('plans a backfill, pauses it, resumes it after a kill, finishes it, and compares the estimate with the actual cost', async () => {
    await using host = await hostWithHistory()
    await using talhouse = await openCommandLine(host)
    await talhouse.run('run', 'tal-members')
    const planned = await talhouse.run('backfill', 'plan', 'history', '--from', yearAgo())
    expect(planned.code).toBe(0)
    expect(planned.out).toMatch(/Backfill 1, history from [\d-]+: planned, 0 of 3 parts done/)
    expect(planned.out).toMatch(/estimate +60 +0 +[\d.]+ s/)
    expect(planned.out).toContain('Run it: talhouse backfill run 1')

    expect((await talhouse.run('backfill', 'pause', '1')).out).toContain('paused, 0 of 3')
    expect(await talhouse.run('backfill', 'run', '1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Backfill 1 is paused. Resume it with `talhouse backfill resume 1`.'),
    })

    silenceFrom(host, 35)
    const { child, ended } = talhouse.start('backfill', 'resume', '1')
    await eventually('the second part has stored its requests', async () => {
      const { rows } = await sql`
        select from sync.backfill_part where state = 'pending' and requests > 0 and number = 2
      `.execute(talhouse.warehouse.db)
      return rows.length > 0
    })
    child.kill('SIGKILL')
    expect((await ended).code).toBeNull()
    host.fault = undefined
    expect((await talhouse.run('backfill', 'list')).out).toMatch(/running, 1 of 3 parts done[\s\S]+difference so far/)

    const finished = await talhouse.run('backfill', 'run', '1')
    expect(finished.code).toBe(0)
    expect(finished.out).toContain('completed, 3 of 3 parts done')
    // The first histories need one extra request to detect that the host counts all events.
    expect(finished.out).toMatch(/actual +[67]\d +0 +[\d.]+ s/)
    expect(finished.out).toMatch(/difference +\+\d+%/)
    expect(finished.out).toMatch(/rows: +3120 inserted, 0 updated, 0 unchanged/)
    expect(finished.out).toMatch(/other: +\d+ requests and [\d.]+ s in interrupted, failed or running attempts/)
    const { rows } = await sql`select count(*)::integer as events from warehouse.history_event`.execute(
      talhouse.warehouse.db,
    )
    expect(rows).toEqual([{ events: MEMBERS * 52 }])

    expect(await talhouse.run('backfill', 'run', '1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Backfill 1 is already completed.'),
    })
    expect((await talhouse.run('backfill', 'pause', '1')).code).toBe(1)
    expect((await talhouse.run('backfill', 'retry-failed', '1')).code).toBe(5)
    expect((await talhouse.run('backfill', 'run', '7')).code).toBe(5)
  }, 180_000)

  it('refuses a backfill of history without --from and a backfill of members without members', async () => {
    await using host = await hostWithHistory()
    await using talhouse = await openCommandLine(host)
    expect(await talhouse.run('backfill', 'plan', 'history')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--from 2026-01-01'),
    })
    expect(await talhouse.run('backfill', 'plan', 'members')).toMatchObject({
      code: 5,
      err: expect.stringContaining('Run `talhouse run tal-members` first'),
    })
  })

  it('exits with 4 if parts of a backfill failed, and retries them', async () => {
    await using host = await hostWithHistory()
    await using talhouse = await openCommandLine(host)
    await talhouse.run('run', 'tal-members')
    await talhouse.run('backfill', 'plan', 'history', '--from', yearAgo())
    host.fault = (request) => (request === 'GET /v2/companies/company5.example/history' ? { status: 404 } : undefined)
    expect((await talhouse.run('backfill', 'run', '1')).code).toBe(0) // 404: the company has no history
    await talhouse.run('backfill', 'plan', 'history', '--from', yearAgo())
    host.fault = (request) => (request === 'GET /v2/companies/company5.example/history' ? { status: 400 } : undefined)
    expect(await talhouse.run('backfill', 'run', '2')).toMatchObject({
      code: 4,
      out: expect.stringContaining('failed, 2 of 3 parts done, 1 failed'),
    })
    host.fault = undefined
    expect(await talhouse.run('backfill', 'retry-failed', '2')).toMatchObject({
      code: 0,
      out: expect.stringContaining('completed, 3 of 3 parts done'),
    })
  }, 180_000)
})

describe('a nightly run and a backfill at the same time', () => {
  it('a nightly run and a backfill share one rate limit across processes', async () => {
    const [rate, burst] = [40, 5]
    await using host = await hostWithHistory()
    await using talhouse = await openCommandLine(host, {
      TALHOUSE_PIPELINES_REQUESTS_PER_SECOND: String(rate),
      TALHOUSE_PIPELINES_BURST: String(burst),
    })
    await talhouse.run('run', 'tal-members')
    await talhouse.run('backfill', 'plan', 'history', '--from', yearAgo())
    let [requests, latest] = [0, 0]
    host.fault = () => {
      requests += 1
      latest = performance.now()
      return undefined
    }
    const start = performance.now()
    const both = await Promise.all([talhouse.run('backfill', 'run', '1'), talhouse.run('run', 'history')])
    expect(both.map(({ code, err }) => (code === 0 ? '' : err))).toEqual(['', ''])
    // The first eight concurrent histories of each process need one extra request to detect that the host counts all
    // events.
    expect(requests - 2 * MEMBERS).toBeLessThanOrEqual(2 * 8)
    expect(requests).toBeGreaterThanOrEqual(2 * MEMBERS)
    // Both processes share one rate limit. With separate limits, the requests would take half as long.
    expect(latest - start).toBeGreaterThan(((2 * MEMBERS - burst) / rate) * 1000 - 50)
    expect(await talhouse.warehouse.db.selectFrom('sync.rate_budget').select('name').execute()).toHaveLength(1)
  }, 180_000)
})

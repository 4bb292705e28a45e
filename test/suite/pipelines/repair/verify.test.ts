import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Verifiable } from '../../../../pipelines/compare/difference.ts'
import { firms } from '../../../../pipelines/firms/pipeline.ts'
import { history } from '../../../../pipelines/history/pipeline.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { repair, repairSlice } from '../../../../pipelines/repair/pipeline.ts'
import { verify } from '../../../../pipelines/repair/verify.ts'
import { firstDay } from '../../../chaos/two-days.ts'
import { clockAt } from '../../../helpers/clock-at.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'

async function pulled(): Promise<Bench & { host: Awaited<ReturnType<typeof startStrangeHost>> }> {
  const host = await startStrangeHost()
  firstDay(host.world)
  const bench = await pipelineBench(host)
  for (const pipeline of [talMembers, firms, history]) await bench.run({ pipeline })
  return Object.assign(bench, { host })
}

const found = async ({ deps }: Bench, what: Verifiable, options = {}) =>
  await verify({ ...deps, signal: new AbortController().signal }, what, options)

const alter = async ({ warehouse }: Bench, text: string): Promise<void> => {
  const { numAffectedRows } = await sql.raw(text).execute(warehouse.db)
  expect(numAffectedRows).toBe(1n)
}

describe('a synchronized warehouse', () => {
  it.each([
    'firms',
    'members',
    'history',
  ] as const)('finds no differences between a synchronized warehouse and the service: %s', async (what) => {
    await using bench = await pulled()
    await using _host = bench.host
    const verified = await found(bench, what)
    expect(verified).toMatchObject({ differences: [], notes: [] })
    expect(verified.compared).toBeGreaterThan(20)
  })
})

describe('one altered cell', () => {
  it.each([
    [
      'firms',
      "update warehouse.firm set aum_total_usd = 7 where sec_number = '801-10042'",
      { kind: 'differs', entity: 'firm', key: '801-10042', fields: ['aum_total_usd'] },
    ],
    [
      'members',
      "update warehouse.company set employee_count = 7 where domain = 'company4.example'",
      { kind: 'differs', entity: 'company', key: 'company4.example', fields: ['employee_count'] },
    ],
    [
      'members',
      "update warehouse.person set title = 'Intern' where email = 'person0@company1.example'",
      { kind: 'differs', entity: 'person', key: 'company1.example', record: expect.any(String), fields: ['title'] },
    ],
    [
      'history',
      "update warehouse.history_event set source = 'nobody' where domain = 'company9.example' and field = 'name'",
      {
        kind: 'differs',
        entity: 'history_event',
        key: 'company9.example',
        fields: ['source'],
        record: expect.any(String),
      },
    ],
  ] as const)('names an altered cell of %s, and repairs it with few requests', async (what, text, difference) => {
    await using bench = await pulled()
    await using _host = bench.host
    await alter(bench, text)
    expect((await found(bench, what)).differences).toEqual([difference])
    const repaired = await bench.run({ pipeline: repair(what) })
    expect(repaired.outcome).toBe('ok')
    expect(repaired.requests).toBeLessThanOrEqual(5)
    expect((await found(bench, what)).differences).toEqual([])
  })
})

describe('missing and extra rows', () => {
  it('finds missing and extra firms by counting key ranges, and repairs them', async () => {
    await using bench = await pulled()
    await using _host = bench.host
    await alter(bench, "delete from warehouse.firm where sec_number = '801-10101'")
    bench.host.world.firms = bench.host.world.firms.filter(({ sec_number }) => sec_number !== '801-10033')
    const verified = await found(bench, 'firms', { quick: true })
    expect(verified.differences).toEqual([
      { kind: 'missing', entity: 'firm', key: '801-10101' },
      { kind: 'extra', entity: 'firm', key: '801-10033' },
    ])
    const repaired = await bench.run({ pipeline: repair('firms') })
    expect(repaired).toMatchObject({ outcome: 'ok', inserted: 1, gone: 1, requests: 2 })
    expect((await found(bench, 'firms')).differences).toEqual([])
  })

  it('finds and repairs missing and extra members and people', async () => {
    await using bench = await pulled()
    const { world } = bench.host
    await using _host = bench.host
    world.tal = world.tal.filter(({ domain }) => domain !== 'company3.example')
    world.tal.push({ domain: 'late.example' })
    world.companies.set('late.example', { domain: 'late.example' })
    world.persons.get('company5.example')?.pop()
    expect((await found(bench, 'members')).differences).toEqual([
      { kind: 'extra', entity: 'tal_member', key: 'company3.example' },
      { kind: 'extra', entity: 'person', key: 'company5.example', record: expect.any(String) },
      { kind: 'missing', entity: 'tal_member', key: 'late.example' },
      { kind: 'missing', entity: 'company', key: 'late.example' },
    ])
    expect(await bench.run({ pipeline: repair('members') })).toMatchObject({ outcome: 'ok', gone: 1 })
    expect((await found(bench, 'members')).differences).toEqual([])
  })

  it('finds, without requests, a record that does not match its latest events', async () => {
    await using bench = await pulled()
    await using _host = bench.host
    await alter(bench, "update warehouse.company set name = 'Other' where domain = 'company4.example'")
    const verified = await found(bench, 'history', { sample: 0 })
    expect(verified).toMatchObject({
      requests: 0,
      differences: [{ kind: 'differs', entity: 'company', key: 'company4.example', fields: ['name'] }],
    })
  })
})

describe('a record that the service no longer returns', () => {
  it('reports a signal that the service no longer returns within the period it covers, and keeps an older one', async () => {
    await using bench = await pulled()
    await using _host = bench.host
    for (const [key, day] of [
      ['wrong', '2026-06-01'],
      ['old', '2020-01-01'],
    ])
      await alter(
        bench,
        `insert into warehouse.signal (company_domain, signal_key, type, published_on, run_id, row_hash) values ('company4.example', '${key}', 'Hiring', '${day}', 1, 'x')`,
      )
    expect((await found(bench, 'members')).differences).toEqual([
      { kind: 'extra', entity: 'signal', key: 'company4.example', record: 'wrong' },
    ])
    expect((await bench.run({ pipeline: repair('members') })).outcome).toBe('ok')
    expect((await found(bench, 'members')).differences).toEqual([])
    const { rows } = await sql`select signal_key from warehouse.signal where signal_key in ('wrong', 'old')`.execute(
      bench.warehouse.db,
    )
    expect(rows).toEqual([{ signal_key: 'old' }])
  })

  it('reports an event that the service no longer returns within the period it covers, and keeps an older one', async () => {
    await using bench = await pulled()
    const { events } = bench.host.world
    await using _host = bench.host
    events.set('company4.example', events.get('company4.example')!.slice(0, 1)) // the host drops the older event
    await alter(
      bench,
      `insert into warehouse.history_event (domain, event_key, entity, key, field, changed_at, run_id) values ('company4.example', 'wrong', 'company', 'company4.example', 'phone', now(), 1)`,
    )
    expect((await found(bench, 'history')).differences).toMatchObject([
      { kind: 'extra', entity: 'history_event', record: 'company/company4.example/wrong' },
    ])
    expect((await bench.run({ pipeline: repair('history') })).outcome).toBe('ok')
    expect((await found(bench, 'history')).differences).toEqual([])
  })
})

describe('a raised watermark', () => {
  it('reports and repairs a raised watermark, and the next pull finds the events that the watermark hid', async () => {
    await using bench = await pulled()
    await using _host = bench.host
    await alter(
      bench,
      "update sync.watermark set value = '2031-01-01T00:00:00.000000Z' where subject = 'company/company4.example'",
    )
    expect((await found(bench, 'history')).differences).toEqual([
      { kind: 'differs', entity: 'watermark', key: 'company4.example', record: 'company/company4.example' },
    ])
    expect((await bench.run({ pipeline: repair('history') })).outcome).toBe('ok')
    const changed_at = new Date().toISOString()
    bench.host.world.events
      .get('company4.example')
      ?.push({ field: 'phone', old_value: null, new_value: '5', changed_at })
    expect(await bench.run({ pipeline: history })).toMatchObject({ outcome: 'ok', inserted: 1 })
    expect((await found(bench, 'history')).differences).toEqual([])
  })
})

describe('a rejected record', () => {
  it('resolves a rejected record when it can be read again, or when its company has left the list', async () => {
    await using bench = await pulled()
    const { world } = bench.host
    await using _host = bench.host
    const open = async () =>
      (
        await sql`select key from warehouse.quarantine where resolved_at is null order by key`.execute(
          bench.warehouse.db,
        )
      ).rows
    for (const index of [4, 5]) {
      const domain = `company${index}.example`
      world.companies.set(domain, { domain, employee_count: 'many' })
    }
    world.events
      .get('company7.example')
      ?.push({ field: '', old_value: 1, new_value: 2, changed_at: new Date().toISOString() })
    await bench.run({ pipeline: talMembers })
    await bench.run({ pipeline: history })
    expect(await open()).toEqual(['company4', 'company5', 'company7'].map((name) => ({ key: `${name}.example` })))
    world.companies.set('company4.example', { domain: 'company4.example', employee_count: 9 })
    world.tal = world.tal.filter(({ domain }) => domain !== 'company5.example')
    world.events.get('company7.example')?.pop()
    await bench.run({ pipeline: talMembers })
    expect(await open()).toEqual([{ key: 'company7.example' }])
    expect((await found(bench, 'history')).differences).toMatchObject([
      { entity: 'quarantine', key: 'company7.example' },
    ])
    await bench.run({ pipeline: repair('history') })
    expect(await open()).toEqual([])
  })
})

describe('the nightly repair', () => {
  it('the nightly repair compares a slice each night, and repairs all drift within the configured number of nights', async () => {
    await using bench = await pulled()
    await using _host = bench.host
    await sql`update warehouse.firm set aum_total_usd = 7`.execute(bench.warehouse.db)
    await sql`update warehouse.company set employee_count = 777`.execute(bench.warehouse.db)
    await sql`update warehouse.history_event set source = 'other'`.execute(bench.warehouse.db)
    const nightly = { ...bench.deps.settings.nightly, repair_nights: 3 }
    const updated: number[] = []
    for (const day of ['2031-05-01', '2031-05-02', '2031-05-03']) {
      bench.deps.clock = clockAt(`${day}T02:00:00Z`)
      const run = await bench.run({ pipeline: repairSlice, settings: { nightly } })
      expect(run.outcome).toBe('ok')
      updated.push(run.updated)
    }
    expect(updated.every((count) => count > 0)).toBe(true)
    for (const dataset of ['firms', 'members', 'history'] as const)
      expect((await found(bench, dataset)).differences).toEqual([])
  })
})

describe('a repair of 66,000 members', () => {
  it('the repair of 66,000 members does not exceed any database limit', async () => {
    await using host = await startStrangeHost()
    await using bench = await pipelineBench(host)
    for (let index = 0; index < 66_000; index += 1) host.world.tal.push({ domain: `company${index}.example` })
    await sql`
      insert into sync.verification (dataset, requests, differences)
      select 'members', 0, jsonb_agg(jsonb_build_object('kind', 'missing', 'entity', 'company', 'key', 'company' || n || '.example'))
      from generate_series(0, 65999) n
    `.execute(bench.warehouse.db)
    const stop = new AbortController()
    host.fault = (request) => {
      if (request.startsWith('GET /v2/companies/')) stop.abort(new Error('far enough'))
      return undefined
    }
    const run = await bench.run({ pipeline: repair('members'), signal: stop.signal })
    expect(run).toMatchObject({ state: 'interrupted', inserted: 66_000 })
  })
})

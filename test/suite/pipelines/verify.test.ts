import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Verifiable } from '../../../pipelines/compare/difference.ts'
import { firms } from '../../../pipelines/firms/pipeline.ts'
import { history } from '../../../pipelines/history/pipeline.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { repair, verify } from '../../../pipelines/verify.ts'
import { firstDay } from '../../chaos/two-days.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'

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
  it.each(['firms', 'members', 'history'] as const)('has no differences: %s', async (what) => {
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
  ] as const)('of %s is named, and repaired by few requests', async (what, text, difference) => {
    await using bench = await pulled()
    await using _host = bench.host
    await alter(bench, text)
    expect((await found(bench, what)).differences).toEqual([difference])
    const repaired = await bench.run({ pipeline: repair(what) })
    expect(repaired.outcome).toBe('ok')
    expect(repaired.requests).toBeLessThanOrEqual(4)
    expect((await found(bench, what)).differences).toEqual([])
  })
})

describe('missing and extra rows', () => {
  it('are found by counting key ranges, and repaired', async () => {
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

  it('of members and people are found and repaired', async () => {
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

  it('a record that does not match its latest events is found without requests', async () => {
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

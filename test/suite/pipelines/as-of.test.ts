import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { history } from '../../../pipelines/history/pipeline.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'

const firmsAsOf = async ({ warehouse }: Bench, moment: string, zone = 'UTC') =>
  await warehouse.db.transaction().execute(async (trx) => {
    await sql`select set_config('timezone', ${zone}, true)`.execute(trx)
    const { rows } = await sql
      .raw<{ firms: number; employees: number }>(`
      select count(*)::integer as firms, coalesce(sum(employee_count), 0)::integer as employees from warehouse.firm_as_of('${moment}')`)
      .execute(trx)
    return rows[0]
  })

const dated = (as_of: string, employee_count: number) =>
  generateFirms(60).map((firm, index) => ({ ...firm, employee_count, as_of: index < 20 ? '2022-07-01' : as_of }))

it('rejects firm_as_of for a day before the data of the first complete pull', async () => {
  // Two rosters were imported before the first pull: 20 firms have not changed since the first roster.
  await using host = await startFirmHost(dated('2022-10-03', 5))
  await using bench = await pipelineBench(host)
  await expect(firmsAsOf(bench, '2022-10-04')).rejects.toThrow(/no pull was complete/)
  await bench.run()
  await expect(firmsAsOf(bench, '2022-08-01')).rejects.toThrow(/first complete pull has data of 2022-10-03/)
  await expect(firmsAsOf(bench, '2999-01-01')).rejects.toThrow(/in the future/)
  expect(await firmsAsOf(bench, '2022-10-03')).toEqual({ firms: 60, employees: 300 })
})

it('rejects firm_as_of for the date of a roster that was missed between two pulls', async () => {
  await using host = await startFirmHost(
    generateFirms(60).map((firm) => ({ ...firm, employee_count: 1, as_of: '2022-06-01' })),
  )
  await using bench = await pipelineBench(host)
  await bench.run()
  // The roster of 1 July changed all firms; that of 3 October changed 40 of them again.
  host.firms = dated('2022-10-03', 5)
  await bench.run()
  expect(await firmsAsOf(bench, '2022-06-15')).toEqual({ firms: 60, employees: 60 })
  await expect(firmsAsOf(bench, '2022-08-01')).rejects.toThrow(/the warehouse missed data/)
  expect(await firmsAsOf(bench, '2022-10-03')).toEqual({ firms: 60, employees: 300 })
})

it('rejects firm_as_of for newer data until its pull is complete', async () => {
  const before = generateFirms(120).map((firm) => ({ ...firm, as_of: '2022-06-01' }))
  await using host = await startFirmHost(before)
  await using bench = await pipelineBench(host)
  await bench.run()
  host.firms = before.map((firm) => ({ ...firm, employee_count: 9, as_of: '2022-07-01' }))
  host.fault = ({ number }) => (number > 6 ? { kind: 'status', status: 500 } : undefined)
  await bench.run()
  expect((await firmsAsOf(bench, '2022-06-15'))?.firms).toBe(120)
  await expect(firmsAsOf(bench, '2022-07-02')).rejects.toThrow(/the latest pull is not complete/)
  host.fault = () => undefined
  await bench.run()
  expect(await firmsAsOf(bench, '2022-07-02')).toEqual({ firms: 120, employees: 1080 })
})

it.each([
  'UTC',
  'Asia/Tokyo',
  'Pacific/Kiritimati',
  'America/Los_Angeles',
])('reads a day without a time zone as UTC in sessions in %s', async (zone) => {
  await using host = await startFirmHost(
    generateFirms(60).map((firm) => ({ ...firm, employee_count: 1, as_of: '2022-08-01' })),
  )
  await using bench = await pipelineBench(host)
  await bench.run()
  host.firms = host.firms.map((firm) => ({ ...firm, employee_count: 2, as_of: '2022-09-01' }))
  await bench.run()
  expect(await firmsAsOf(bench, '2022-09-01', zone)).toEqual({ firms: 60, employees: 120 })
  expect(await firmsAsOf(bench, '2022-08-31 23:59:59', zone)).toEqual({ firms: 60, employees: 60 })
  for (const type of ['date', 'timestamp']) {
    const { rows } = await bench.warehouse.db.transaction().execute(async (trx) => {
      await sql`select set_config('timezone', ${zone}, true)`.execute(trx)
      return await sql
        .raw(`select min(employee_count) as employees from warehouse.firm_as_of(${type} '2022-09-01')`)
        .execute(trx)
    })
    expect(rows).toEqual([{ employees: 2 }])
  }
})

it('shows a company only from the time at which its record was known, and fails while the history of changes is missing', async () => {
  await using host = await startStrangeHost()
  host.world.tal.push({ domain: 'a.example' }, { domain: 'b.example' })
  host.world.companies.set('a.example', { domain: 'a.example', name: 'A', industry: 'Banking' })
  host.world.companies.set('b.example', { domain: 'b.example', name: 'B' })
  host.world.events.set('a.example', [
    { field: 'name', old_value: null, new_value: 'A', changed_at: '2026-03-01T00:00:00Z' },
  ])
  await using bench = await pipelineBench(host)
  const asOf = async (moment: string) =>
    (
      await sql<object>`
        select domain, fields ->> 'name' as name, fields ->> 'industry' as industry from warehouse.company_as_of(${moment}::text) order by 1
      `.execute(bench.warehouse.db)
    ).rows
  await bench.run({ pipeline: talMembers })
  await expect(asOf('2026-04-01')).rejects.toThrow(/2 changed after the latest complete pull of the history/)
  await bench.run({ pipeline: history })
  expect(await asOf('2026-02-28')).toEqual([])
  // There is no evidence of the industry before the first pull.
  expect(await asOf('2026-03-01')).toEqual([{ domain: 'a.example', name: 'A', industry: null }])
  const now = (await sql<{ now: string }>`select now()::text as now`.execute(bench.warehouse.db)).rows[0]?.now as string
  expect(await asOf(now)).toEqual([
    { domain: 'a.example', name: 'A', industry: 'Banking' },
    { domain: 'b.example', name: 'B', industry: null },
  ])
})

it('the view of a company at a time does not undo a change that is dated in the future', async () => {
  await using host = await startStrangeHost()
  host.world.tal.push({ domain: 'a.example' })
  host.world.companies.set('a.example', { domain: 'a.example', name: 'New' })
  host.world.events.set('a.example', [
    { field: 'name', old_value: 'Old', new_value: 'New', changed_at: '2099-01-01T00:00:00Z' },
  ])
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: talMembers })
  await bench.run({ pipeline: history })
  const { rows } = await sql`select fields ->> 'name' as name from warehouse.company_as_of(now())`.execute(
    bench.warehouse.db,
  )
  expect(rows).toEqual([{ name: 'New' }])
})

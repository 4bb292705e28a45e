import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { INVARIANTS } from '../../../pipelines/checks/invariants.ts'
import { runChecks } from '../../../pipelines/checks/run-checks.ts'
import { nightly } from '../../../pipelines/nightly.ts'
import { firstDay } from '../../chaos/two-days.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'

const BREAKS: [check: string, sql: string][] = [
  ['firm.legal_name is not null', "update warehouse.firm set legal_name = null where sec_number = '801-10001'"],
  ['firm.sec_number is unique', "update warehouse.firm set sec_number = '801-10001' where sec_number = '801-10002'"],
  ['firm.region has accepted values', "update warehouse.firm set region = 'MOON' where sec_number = '801-10001'"],
  ['tal_member.domain refers to company', "delete from warehouse.company where domain = 'company0.example'"],
  ['latest events match the record', "update warehouse.company set name = 'Other' where domain = 'company4.example'"],
  ['units add up', 'update warehouse.submission set units_refunded = units_charged + 1'],
  ['units of runs match units of submissions', 'update warehouse.submission set units_charged = units_charged - 1'],
  [
    'watermarks are not ahead of the data',
    "update sync.watermark set value = '2999-01-01T00:00:00.000000Z' where subject = 'company/company4.example'",
  ],
  ['the warehouse is fresh', "update sync.run set ended_at = now() - interval '3 days'"],
  ['past firm versions are complete', 'delete from warehouse.firm_previous'],
  ['firm versions do not overlap', "update warehouse.firm_previous set valid_to = now() + interval '1 day'"],
  ['person events belong to a person', "delete from warehouse.person where company_domain = 'company1.example'"],
]

it('all checks pass after a nightly run, and each check detects its violation', async () => {
  await using host = await startStrangeHost()
  firstDay(host.world)
  await using bench = await pipelineBench(host)
  expect(await bench.run({ pipeline: nightly })).toMatchObject({ outcome: 'ok' })
  host.world.firms = host.world.firms.map((firm, place) => (place === 0 ? { ...firm, region: 'HQ' } : firm))
  expect(await bench.run()).toMatchObject({ outcome: 'ok', updated: 1 })
  const { db } = bench.warehouse
  const failing = async () => (await runChecks(db, INVARIANTS)).filter(({ failures }) => failures > 0)
  expect(await failing()).toEqual([])
  for (const [name, text] of BREAKS)
    await db
      .transaction()
      .execute(async (trx) => {
        await sql.raw(text).execute(trx)
        const results = await runChecks(trx, INVARIANTS)
        const found = results.find((result) => result.name === name)
        expect(found?.failures, name).toBeGreaterThan(0)
        expect(found?.examples.length, name).toBeGreaterThan(0)
        throw new Error('undone')
      })
      .catch((error: Error) => {
        if (error.message !== 'undone') throw error
      })
  expect(new Set(INVARIANTS.map(({ name }) => name)).size).toBe(INVARIANTS.length)
})

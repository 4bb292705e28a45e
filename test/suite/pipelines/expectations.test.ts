import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFailed } from '../../../pipelines/checks/check.ts'
import { listExpectations } from '../../../pipelines/checks/expectations.ts'
import { expectations as pipeline } from '../../../pipelines/checks/pipeline.ts'
import { runChecks } from '../../../pipelines/checks/run-checks.ts'
import { nightly } from '../../../pipelines/nightly.ts'
import type { PipelineSettings } from '../../../pipelines/runner/settings.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { StrangeHost } from '../../helpers/strange-host.ts'
import { startStrangeHost } from '../../helpers/strange-host.ts'

type Expectations = PipelineSettings['expectations']

const EXPECTATIONS: Expectations = {
  tables: {
    'warehouse.firm': {
      where: 'gone_at is null -- current firms',
      max_age_hours: { last_changed_at: 48 },
      min_rows: 3,
      unique: ['crd_number', 'legal_name, region'],
      accepted_values: { region: ['NYRO', "O'Hare\\"] },
    },
  },
  queries: { 'every firm has assets': 'select sec_number from warehouse.firm where aum_total_usd is null -- or 0' },
}

const VIOLATIONS: [name: string, change: string][] = [
  [
    'warehouse.firm.last_changed_at is at most 48 hours old',
    "update warehouse.firm set last_changed_at = now() - interval '3 days'",
  ],
  ['warehouse.firm has at least 3 rows', "delete from warehouse.firm where sec_number = '801-1'"],
  [
    'warehouse.firm.crd_number is unique',
    "update warehouse.firm set crd_number = 7 where sec_number in ('801-1', '801-2')",
  ],
  [
    'warehouse.firm.legal_name, region is unique',
    "update warehouse.firm set legal_name = 'Firm 2' where sec_number = '801-1'",
  ],
  ['warehouse.firm.region has accepted values', "update warehouse.firm set region = 'MOON' where sec_number = '801-1'"],
  ['every firm has assets', "update warehouse.firm set aum_total_usd = null where sec_number = '801-1'"],
]

describe('expectations in the settings', () => {
  let host: StrangeHost
  let bench: Bench
  beforeAll(async () => {
    host = await startStrangeHost()
    for (const number of [1, 2, 3])
      host.world.firms.push({
        ...{ sec_number: `801-${number}`, legal_name: `Firm ${number}`, region: number === 3 ? "O'Hare\\" : 'NYRO' },
        aum_total_usd: number,
      })
    bench = await pipelineBench(host, { expectations: EXPECTATIONS })
  })
  afterAll(async () => {
    await bench[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
  })

  const failed = async (expectations = EXPECTATIONS) =>
    (await runChecks(bench.warehouse.db, listExpectations(expectations))).filter(isFailed)

  it('a nightly run checks the expectations, and a violation degrades it', async () => {
    expect(await bench.run({ pipeline: nightly })).toMatchObject({ outcome: 'ok' })
    expect(await failed()).toEqual([])
    const tables = { 'warehouse.tal_member': { min_rows: 5 } }
    const run = await bench.run({ pipeline: nightly, settings: { expectations: { tables, queries: {} } } })
    expect(run).toMatchObject({
      outcome: 'degraded',
      reasons: ['expectations: check failed: warehouse.tal_member has at least 5 rows (1 violation)'],
    })
    expect(await bench.run({ pipeline: nightly })).toMatchObject({ outcome: 'ok' })
  })

  it.each(VIOLATIONS)('expectations detect a violation of "%s"', async (name, change) => {
    const undone = new Error('undone')
    const violated = bench.warehouse.db.transaction().execute(async (trx) => {
      await sql.raw(change).execute(trx)
      const results = (await runChecks(trx, listExpectations(EXPECTATIONS))).filter(isFailed)
      expect(results).toEqual([expect.objectContaining({ name, kind: 'expectation', error: null })])
      expect(results[0]?.examples).toHaveLength(1)
      throw undone
    })
    await expect(violated).rejects.toBe(undone)
  })

  it('expectations fail if the table is empty or the query is wrong, and cannot change data', async () => {
    const wrong: Expectations = {
      tables: { 'warehouse.signal': { max_age_hours: { last_changed_at: 48 } }, 'warehouse.nowhere': { min_rows: 1 } },
      queries: {
        changes: 'delete from warehouse.firm returning *',
        'two statements': 'select 1 as one; delete from warehouse.firm',
      },
    }
    expect((await failed(wrong)).map(({ name, error }) => [name, error])).toEqual([
      ['warehouse.signal.last_changed_at is at most 48 hours old', null],
      ['warehouse.nowhere has at least 1 row', 'relation "warehouse.nowhere" does not exist'],
      ['changes', expect.stringContaining('syntax error')],
      ['two statements', expect.stringContaining('syntax error')],
    ])
    const run = await bench.run({ pipeline, settings: { expectations: wrong } })
    expect(run.reasons).toContain('check failed: warehouse.nowhere has at least 1 row (its query failed)')
    const { rows } = await sql`select from warehouse.firm`.execute(bench.warehouse.db)
    expect(rows).toHaveLength(3)
    expect(await failed()).toEqual([])
  })

  it('an expectation cannot have the name of another check', () => {
    const queries = { 'quarantine is empty': 'select 1' }
    expect(() => listExpectations({ tables: {}, queries })).toThrow('Rename the query')
    const tables = { firm: { unique: ['crd_number'] } }
    expect(() => listExpectations({ tables, queries: {} })).toThrow('write the table with its schema')
  })
})

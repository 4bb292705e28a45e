import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { countMissing } from '../../../../pipelines/firms/mark-gone.ts'
import { verify } from '../../../../pipelines/repair/verify.ts'
import { resumeWalk } from '../../../../pipelines/walk/walks.ts'
import type { WarehouseTables } from '../../../../pipelines/warehouse/tables.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms, inventFirm } from '../../../helpers/invented-firms.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'

it('counts the missing firms among 30,000 firms within seconds', async () => {
  await using warehouse = await testDatabase<WarehouseTables>('warehouse')
  const { walk } = await resumeWalk(warehouse.db, 'firms', 1)
  await sql`
    insert into warehouse.firm (firm_id, sec_number, valid_from, run_id, row_hash)
    select n::text, '801-' || n, now(), 1, md5(n::text)::uuid from generate_series(1, 30000) n`.execute(warehouse.db)
  await sql`
    insert into sync.walk_page (walk_id, keys, firm_ids, unidentified_keys)
    select ${walk.id}, array_agg('801-' || n), array_agg(n::text), '{}' from generate_series(1, 29990) n group by n / 50`.execute(
    warehouse.db,
  )
  const counted = await warehouse.db.transaction().execute(async (trx) => {
    // A nested loop would take minutes.
    await sql`set local statement_timeout = '10s'`.execute(trx)
    return await countMissing(trx, walk.id)
  })
  expect(counted).toEqual({ live: 30_000, missing: 10 })
})

const stateOf = async ({ warehouse }: Bench, crd: number | undefined) => {
  const { rows } = await sql`
    select sec_number, gone_at is not null as gone from warehouse.firm where crd_number = ${crd}`.execute(warehouse.db)
  return rows[0]
}

describe('a firm, identified by its CRD number,', () => {
  const [left, taking, third] = [inventFirm(3), inventFirm(40), inventFirm(41)]
  const others = generateFirms(60).filter(({ sec_number }) => sec_number !== left.sec_number)

  it('marks a firm as gone by its CRD number although another firm has its SEC number', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = others.map((firm) =>
      firm.sec_number === taking.sec_number ? { ...firm, sec_number: left.sec_number } : firm,
    )
    const found = await verify({ ...bench.deps, signal: new AbortController().signal }, 'firms')
    expect(found.differences).toContainEqual({ kind: 'extra', entity: 'firm', key: left.sec_number })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', gone: 1, updated: 1, unchanged: 58 })
    expect(await stateOf(bench, left['crd_number'] as number)).toEqual({ sec_number: left.sec_number, gone: true })
    expect(await stateOf(bench, taking['crd_number'] as number)).toEqual({ sec_number: left.sec_number, gone: false })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', gone: 0, updated: 0, unchanged: 59 })
  })

  it('keeps two firms live when they exchange their SEC numbers', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = generateFirms(60).map((firm) => {
      if (firm.sec_number === taking.sec_number) return { ...firm, sec_number: third.sec_number }
      return firm.sec_number === third.sec_number ? { ...firm, sec_number: taking.sec_number } : firm
    })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', gone: 0, updated: 2, unchanged: 58 })
  })

  it('counts a firm as seen when its record is rejected, with or without a readable CRD number', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = generateFirms(60).map((firm) => {
      if (firm.sec_number === taking.sec_number) return { ...firm, aum_total_usd: 'much' }
      return firm.sec_number === third.sec_number ? { ...firm, crd_number: 'none' } : firm
    })
    expect(await bench.run()).toMatchObject({ outcome: 'degraded', gone: 0, quarantined: 2, unchanged: 58 })
  })
})

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { EMPTY_PROFILE } from '../../../../pipelines/host-profile/profile.ts'
import { FIRM_FIELD_NAMES } from '../../../../src/contract/firm-fields.ts'
import { startFirmHost } from '../../../helpers/firm-host.ts'
import { generateFirms, inventFirm } from '../../../helpers/invented-firms.ts'
import { firmContents, pipelineBench } from '../../../helpers/pipeline.ts'

describe('the firms pipeline', () => {
  it.each([1, 4, 16])('pulls every value of every firm with concurrency %i', async (concurrency) => {
    const invented = generateFirms(1234)
    await using host = await startFirmHost(invented)
    await using bench = await pipelineBench(host, { concurrency })
    const run = await bench.run()
    expect(run).toMatchObject({ state: 'completed', outcome: 'ok', inserted: 1234, updated: 0, unchanged: 0, gone: 0 })
    expect(run.requests).toBe(host.requests.length)
    const stored = await bench.warehouse.db.selectFrom('warehouse.firm').selectAll().orderBy('crd_number').execute()
    expect(stored).toHaveLength(1234)
    for (const [index, firm] of stored.entries()) {
      const sent = invented[index] as Record<string, unknown>
      for (const field of FIRM_FIELD_NAMES) expect(firm[field] ?? null, field).toEqual(sent[field] ?? null)
    }
  })

  it('a pull needs at most one request per key range beyond its pages with many workers', async () => {
    await using host = await startFirmHost(generateFirms(5000))
    await using bench = await pipelineBench(host, { concurrency: 8 })
    await bench.run()
    const { ranges } = await bench.warehouse.db.selectFrom('sync.walk').select('ranges').executeTakeFirstOrThrow()
    expect(ranges).toBeGreaterThanOrEqual(8)
    // In any interleaving, a page has 50 firms from its range or is the last page of its range.
    expect(host.requests.length).toBeLessThanOrEqual(100 + ranges)
  })

  it('keeps the previous version of a changed firm and shows it as of its date', async () => {
    await using host = await startFirmHost(generateFirms(120))
    await using bench = await pipelineBench(host)
    await bench.run()
    const changed = { ...inventFirm(7), employee_count: 4711, notice_states: ['TX'], as_of: '2022-10-03' }
    host.firms = host.firms.map((firm) => (firm.sec_number === changed.sec_number ? changed : firm))
    expect(await bench.run()).toMatchObject({ inserted: 0, updated: 1, unchanged: 119 })
    expect(await asOf('2022-09-01')).toEqual([{ employee_count: 7, notice_states: [] }])
    expect(await asOf('2022-10-03')).toEqual([{ employee_count: 4711, notice_states: ['TX'] }])
    await expect(asOf('2022-06-30')).rejects.toThrow(/the first complete pull has data of 2022/)

    async function asOf(moment: string) {
      const { rows } = await sql`
        select employee_count, notice_states from warehouse.firm_as_of(${moment}) where crd_number = 100007
      `.execute(bench.warehouse.db)
      return rows
    }
  })

  it('marks firms that are missing from a complete pull as gone, and as live when they return', async () => {
    const invented = generateFirms(100)
    await using host = await startFirmHost(invented)
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = invented.slice(5)
    expect(await bench.run()).toMatchObject({ outcome: 'ok', gone: 5, unchanged: 95 })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', gone: 0, unchanged: 95 })
    host.firms = invented
    expect(await bench.run()).toMatchObject({ outcome: 'ok', updated: 5, unchanged: 95 })
    const live = await bench.warehouse.db
      .selectFrom('warehouse.firm')
      .select('firm_id')
      .where('gone_at', 'is', null)
      .execute()
    expect(live).toHaveLength(100)
    const past = await bench.warehouse.db.selectFrom('warehouse.firm_previous').select('firm_id').execute()
    expect(past).toHaveLength(5)
  })

  it('marks no firm as gone above max_gone_share, and names the setting', async () => {
    const invented = generateFirms(100)
    await using host = await startFirmHost(invented)
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = invented.slice(20)
    const held = await bench.run()
    expect(held).toMatchObject({ outcome: 'degraded', gone: 0 })
    expect(held.reasons.join()).toContain('TALHOUSE_PIPELINES_FIRMS_MAX_GONE_SHARE=0.2')
    expect(await bench.run({ settings: { firms: { max_gone_share: 0.2 } } })).toMatchObject({ outcome: 'ok', gone: 20 })
  })

  it('marks no firm as gone when the service returns no firms', async () => {
    await using host = await startFirmHost(generateFirms(100))
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = []
    expect(await bench.run()).toMatchObject({ outcome: 'degraded', gone: 0 })
  })

  it('leaves firms that appear above the upper bound of a pull to the next run', async () => {
    await using host = await startFirmHost(generateFirms(200))
    await using bench = await pipelineBench(host, { concurrency: 1 })
    host.fault = ({ number }) => {
      if (number === 2) host.firms = [...host.firms, { ...inventFirm(9999), sec_number: '899-1' }]
      return undefined
    }
    expect(await bench.run()).toMatchObject({ outcome: 'ok', inserted: 200 })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', inserted: 1, unchanged: 200 })
  })

  it('a pull is degraded when firms move during the pull, and the next pull is ok', async () => {
    await using host = await startFirmHost(generateFirms(200))
    await using bench = await pipelineBench(host, { concurrency: 1 })
    host.fault = ({ number }) => {
      if (number === 3) host.firms = host.firms.filter(({ crd_number }) => crd_number !== 100_000)
      return undefined
    }
    const moved = await bench.run()
    expect(moved).toMatchObject({ outcome: 'degraded', gone: 0 })
    expect(moved.reasons.join()).toContain('completeness could not be verified')
    host.fault = () => undefined
    expect(await bench.run()).toMatchObject({ outcome: 'ok' })
  })

  it('a pull falls back to the four firm fields of the interface', async () => {
    const fields = ['legal_name', 'sec_number', 'aum_total_usd', 'region']
    await using host = await startFirmHost(generateFirms(120), { fields })
    await using bench = await pipelineBench(host)
    expect(await bench.run()).toMatchObject({ outcome: 'ok', inserted: 120 })
    const firm = await bench.warehouse.db
      .selectFrom('warehouse.firm')
      .selectAll()
      .where('firm_id', '=', '801-1037')
      .executeTakeFirstOrThrow()
    expect(firm).toMatchObject({ legal_name: inventFirm(1)['legal_name'], region: 'BRO', crd_number: null })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', unchanged: 120 })
  })

  it('changes no firm when the host rejects fields that it accepted before, and names the setting', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    await bench.run()
    const before = await firmContents(bench.warehouse)
    host.fault = ({ select }) => (select.length > 4 ? { kind: 'status', status: 422 } : undefined)
    expect(await bench.run()).toMatchObject({
      state: 'failed',
      error_message: expect.stringMatching(/accepted before.*set pipelines\.host\.firm_fields to typed or promised/),
    })
    expect(await firmContents(bench.warehouse)).toEqual(before)
  })

  it('stores each firm once when the host starts and stops returning CRD numbers', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host)
    const limited = { host: { ...EMPTY_PROFILE, firm_fields: 'promised' as const } }
    const stored = async () =>
      (
        await sql`
          select count(*)::integer as firms, count(crd_number)::integer as crds, array_agg(firm_id order by sec_number) as ids
          from warehouse.firm where gone_at is null`.execute(bench.warehouse.db)
      ).rows[0]
    await bench.run({ settings: limited })
    expect(await stored()).toMatchObject({ firms: 60, crds: 0 })
    await bench.run()
    const identified = await stored()
    expect(identified).toMatchObject({ firms: 60, crds: 60 })
    await bench.run({ settings: limited })
    expect(await stored()).toEqual(identified)
  })

  it('pulls every firm of a host that returns fewer rows than requested', async () => {
    await using host = await startFirmHost(generateFirms(333), { clamp: 10 })
    await using bench = await pipelineBench(host)
    expect(await bench.run()).toMatchObject({ outcome: 'ok', inserted: 333 })
  })
})

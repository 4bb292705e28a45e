import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FirmSummary } from '../../../src/contract/firms.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await storeFirms(service.postgres, generateFirms(2_500))
})
afterAll(() => service[Symbol.asyncDispose]())

const summarize = async (filters: Record<string, string> = {}) =>
  (await service.call<FirmSummary>('POST', '/v2/firms/summary', { body: { filters } })).body

const sum = (rows: readonly { firms: number; aum_total_usd: number }[]) => ({
  firms: rows.reduce((total, { firms }) => total + firms, 0),
  cents: Math.round(rows.reduce((total, { aum_total_usd }) => total + aum_total_usd, 0) * 100),
})

describe('POST /v2/firms/summary', () => {
  it('the firm summary counts each matching firm once by state and once by asset class', async () => {
    for (const filters of [{}, { region: 'eq.NYRO' }]) {
      const summary = await summarize(filters)
      const { rows } = await service.postgres.pool.query(
        'select count(*) as firms, round(sum(aum_total_usd) * 100) as cents from firm where gone_as_of is null and ($1::text is null or region = $1)',
        [filters.region?.slice(3)],
      )
      expect(sum([summary])).toEqual(rows[0])
      expect(sum(summary.by_state)).toEqual(rows[0])
      expect(sum(summary.by_assets)).toEqual(rows[0])
      const states = await service.postgres.pool.query(
        'select state, count(*)::integer as firms from firm where gone_as_of is null and ($1::text is null or region = $1) group by 1',
        [filters.region?.slice(3)],
      )
      const counts = summary.by_state.map(({ state, firms }) => [state, firms])
      expect(Object.fromEntries(counts)).toEqual(
        Object.fromEntries(states.rows.map(({ state, firms }) => [state, firms])),
      )
      expect(summary.firms).toBeGreaterThan(100)
    }
  })

  it('the firm summary assigns an amount on a bound to the class that starts with the bound', async () => {
    const { by_assets } = await summarize()
    for (const { from_usd, to_usd, firms } of by_assets.filter(({ from_usd }) => from_usd !== null)) {
      const above = await summarize({ aum_total_usd: `gte.${from_usd}` })
      const beyond = to_usd === null ? 0 : (await summarize({ aum_total_usd: `gte.${to_usd}` })).firms
      expect(above.firms - beyond, `from ${from_usd}`).toBe(firms)
    }
  })

  it('the firm summary counts a range of assets exactly, on, between and beyond the bounds of classes', async () => {
    const { rows: amounts } = await service.postgres.pool.query<{ amount: string }>(
      'select aum_total_usd::text as amount from firm where aum_total_usd > 0 order by crd_number limit 3',
    )
    const values = [
      '-5',
      '0',
      '25000000',
      '99999999.99',
      '1000000000',
      '200000000000',
      ...amounts.map(({ amount }) => amount),
    ]
    const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
    const bound = (operator: string, value: string) => ({ filter: `${operator}.${value}`, operator, value })
    const lower = ['gt', 'gte'].flatMap((operator) => values.map((value) => bound(operator, value)))
    const upper = ['lt', 'lte'].flatMap((operator) => values.map((value) => bound(operator, value)))
    const ranges = [...lower, ...upper]
      .map((one) => [one])
      .concat(lower.map((one, index) => [one, upper[(index * 5) % upper.length] as typeof one]))
    const between = ranges.concat(lower.map((one) => [one, bound('lte', one.value)]))
    for (const range of between) {
      const filters = { aum_total_usd: range.map(({ filter }) => filter), region: 'neq.NYRO' }
      const conditions = range.map(
        ({ operator, value }) => `aum_total_usd ${signs[operator as keyof typeof signs]} ${value}`,
      )
      const { rows } = await service.postgres.pool.query(
        `select count(*) as firms, coalesce(round(sum(aum_total_usd) * 100), 0) as cents from firm
         where gone_as_of is null and region <> 'NYRO' and ${conditions.join(' and ')}`,
      )
      const name = JSON.stringify(filters)
      const { body } = await service.call<FirmSummary>('POST', '/v2/firms/summary', { body: { filters } })
      expect(sum([body]), name).toEqual(rows[0])
      expect(sum(body.by_assets), name).toEqual(rows[0])
      const page = await service.call('POST', '/firms', { body: { filters, limit: 1 } })
      expect(page.body['total_count'], name).toBe(rows[0].firms)
    }
  })

  it('the firm summary counts again after an import', async () => {
    const before = await summarize()
    await storeFirms(service.postgres, generateFirms(2_600))
    expect((await summarize()).firms).toBe(before.firms + 100)
  })

  it('the firm summary responds 422 to an unknown field', async () => {
    const { status, body } = await service.call('POST', '/v2/firms/summary', { body: { filters: { nothing: 'eq.1' } } })
    expect([status, body['detail']]).toEqual([422, expect.stringContaining('nothing is not a firm field')])
  })
})

describe('POST /v2/firms/export', () => {
  const csvOf = async (body: object): Promise<Record<string, string>[]> => {
    const reply = await service.call<string>('POST', '/v2/firms/export', { body })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toContain('attachment')
    return parse(reply.body, { columns: true })
  }

  it('the firm export contains every matching firm once, in the requested order', async () => {
    const select = ['crd_number', 'aum_total_usd', 'notice_states', 'umbrella_registration']
    const rows = await csvOf({ select, order: 'aum_total_usd.desc' })
    expect(Object.keys(rows[0] ?? {})).toEqual(select)
    expect(rows).toHaveLength((await summarize()).firms)
    expect(new Set(rows.map(({ crd_number }) => crd_number)).size).toBe(rows.length)
    const assets = rows.map(({ aum_total_usd }) => (aum_total_usd === '' ? -1 : Number(aum_total_usd)))
    expect(assets).toEqual(assets.toSorted((one, other) => other - one))
    const lists = rows.map((row) => row['notice_states'] ?? '')
    expect(lists.find((text) => text.includes(' '))).toMatch(/^[A-Z]{2}( [A-Z]{2})+$/)
    const [first = {}] = rows
    await service.postgres.pool.query('update firm set umbrella_registration = true where crd_number = $1', [
      first['crd_number'],
    ])
    expect((await csvOf({ select, order: 'aum_total_usd.desc' }))[0]).toEqual({
      ...first,
      umbrella_registration: 'true',
    })
  })

  it('the firm export filters the firms, and escapes formulas', async () => {
    const [{ crd_number } = { crd_number: '' }] = await csvOf({ select: ['crd_number'] })
    const name = '=HYPERLINK("https://evil.example")'
    await service.postgres.pool.query('update firm set legal_name = $1 where crd_number = $2', [name, crd_number])
    const filters = { crd_number: `eq.${crd_number}` }
    expect(await csvOf({ select: ['legal_name'], filters })).toEqual([{ legal_name: `'${name}` }])
  })

  it('the firm export responds 422 before the first line', async () => {
    const reply = await service.call('POST', '/v2/firms/export', { body: { filters: { region: 'NYRO' } } })
    expect(reply).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
  })
})

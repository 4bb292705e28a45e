import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateFirms } from '../../helpers/invented-firms.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

interface Page {
  data: Record<string, unknown>[]
  total_count: number
  next_cursor: string | null
}

let service: TestService
beforeAll(async () => {
  service = await startService()
  await storeFirms(service.postgres, generateFirms(120))
})
afterAll(() => service[Symbol.asyncDispose]())

const ask = (body: unknown, key?: string | null) =>
  service.call<Page>('POST', '/firms', { body, ...(key !== undefined && { key }) })

describe('POST /firms', () => {
  it('pages firms with an lt filter on the order field', async () => {
    const query = {
      select: ['sec_number', 'legal_name', 'aum_total_usd', 'region'],
      filters: { region: 'eq.NYRO' },
      order: 'sec_number.desc',
      limit: 20,
    }
    const first = await ask(query)
    expect(first).toMatchObject({ status: 200, body: { total_count: 30, data: expect.any(Array) } })
    const last = first.body.data.at(-1)?.['sec_number'] as string
    const second = await ask({ ...query, filters: { ...query.filters, sec_number: `lt.${last}` } })
    expect(second.body).toMatchObject({ total_count: 10, next_cursor: null })
    const byCursor = await ask({ ...query, cursor: first.body.next_cursor })
    expect(byCursor.body).toMatchObject({ total_count: 30, data: second.body.data })
    const seen = new Set([...first.body.data, ...second.body.data].map(({ sec_number }) => sec_number))
    expect(seen.size).toBe(30)
  })

  it('returns complete firms that match the contract', async () => {
    const { status, body } = await ask({})
    expect(status).toBe(200)
    expect(body.data).toHaveLength(25)
  })

  it.each([
    ['a limit of 0', { limit: 0 }],
    ['a limit of 51', { limit: 51 }],
    ['a limit that is a word', { limit: 'ten' }],
    ['an unknown field of the body', { offset: 50 }],
    ['an unknown field', { select: ['nothing'] }],
    ['a filter that is a number', { filters: { aum_total_usd: 5 } }],
    ['a filter of the wrong type', { filters: { aum_total_usd: 'lt.much' } }],
    ['an unknown order', { order: 'nothing.desc' }],
    ['a foreign cursor', { cursor: 'abc' }],
    ['a comparison with null', { filters: { sec_number: 'lt.null' } }],
    ['a numeric comparison with null', { filters: { aum_total_usd: 'eq.null' } }],
    ['a pattern that ends with an escape', { filters: { legal_name: 'ilike.\\' } }],
  ])('responds 422 to a firm query with %s', async (_, body) => {
    expect(await ask(body)).toMatchObject({ status: 422, body: { code: 'unprocessable', detail: expect.any(String) } })
  })

  it('suggests is.null for a comparison with null, and matches the text "null" with the operator in', async () => {
    const refused = await ask({ filters: { legal_name: 'eq.null' } })
    expect(refused.body).toMatchObject({ detail: expect.stringContaining('is.null') })
    expect((await ask({ filters: { legal_name: 'in.(null)' } })).body).toMatchObject({ total_count: 0 })
  })

  it('warns if a page of firms ends between firms with equal order values', async () => {
    const query = { select: ['region'], order: 'region.desc', limit: 20 }
    const tied = await ask(query)
    expect(tied.body).toMatchObject({ warning: expect.stringContaining('cursor') })
    expect((await ask({ ...query, cursor: tied.body.next_cursor })).body).not.toHaveProperty('warning')
    expect((await ask({ ...query, order: 'sec_number.desc' })).body).not.toHaveProperty('warning')
  })

  it('responds 400 to a firm query that is not JSON', async () => {
    expect(await ask('{"limit":')).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('requires an API key for a firm query', async () => {
    expect(await ask({}, null)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })
})

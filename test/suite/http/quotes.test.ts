import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAudit } from '../../../src/audit/audit-log.ts'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { pruneQuotes } from '../../../src/tasks/purchase.ts'
import { reconcileUnits } from '../../../src/units/reconcile.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
let caller: TestCaller
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Quote {
  quote_id: string
  units_required: number
  is_covered: boolean
  expires_at: string
}
type Body = Record<string, unknown>
interface Details extends Quote {
  status: string
  message: string
  units_now: number | null
  items: Body[]
  items_total: number
}

const quote = async (body: object): Promise<Quote> =>
  (await caller.call<Quote & Body>('POST', '/v2/quotes', { body })).body
const purchase = (id: string, key?: string) => caller.call('POST', `/v2/quotes/${id}/purchase`, { ...(key && { key }) })
const read = (id: string, query = '', key?: string) =>
  caller.call<Details & Body>('GET', `/v2/quotes/${id}${query}`, { ...(key && { key }) })
const unitsLeft = async () => (await caller.call('GET', '/v2/usage')).body['units_remaining']

describe('a quote', () => {
  it.each([
    [{ company: { domain: 'a.example', include_leadership: true } }, 6],
    [{ person: { full_name: 'Ada Byron', company_domain: 'a.example' } }, 1],
    [{ batch: { domains: ['a.example', 'b.example'] } }, 2],
    [{ leadership: { domains: ['a.example'] } }, 5],
    [{ signals: { domains: ['a.example'], callback_url: null } }, 3],
    [{ list: {} }, 0],
  ])('a quote of %o costs %i, which only its purchase charges, once', async (body, units) => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { quote_id, ...rest } = await quote(body)
    expect(rest).toMatchObject({ units_required: units, units_remaining: 10, is_covered: true })
    expect(await unitsLeft()).toBe(10)
    const replies = await Promise.all(Array.from({ length: 5 }, () => purchase(quote_id)))
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 200, body: { units_charged: units, units_remaining: 10 - units } })
      expect({ ...reply.body }).toEqual(replies[0]?.body)
    }
    expect(await unitsLeft()).toBe(10 - units)
    expect((await caller.call<{ tasks: Body[] }>('GET', '/v2/tasks')).body.tasks).toHaveLength(1)
    expect((await reconcileUnits(service.db)).discrepancies).toEqual([])
    const audited = await listAudit(service.db, { actor: `client:${caller.client.client_id}`, limit: 10 })
    expect(audited.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'task.submit', details: { units, quote_id } },
    ])
  })

  it('a quote requires the scope read to create and the scope enrich to purchase', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { key } = await createApiKey(service.db, caller.client.client_id, { scopes: ['read'] })
    const body = { company: { domain: 'a.example' } }
    const made = await caller.call<Quote & Body>('POST', '/v2/quotes', { body, key })
    expect(made.status).toBe(200)
    const notified = { company: { domain: 'a.example', callback_url: 'https://hooks.example/' } }
    expect(await caller.call('POST', '/v2/quotes', { body: notified, key })).toMatchObject({
      status: 403,
      body: { code: 'missing_scope' },
    })
    const dry = { list: { dry_run: true } }
    expect(await caller.call('POST', '/v2/quotes', { body: dry })).toMatchObject({
      status: 422,
      body: { detail: 'A quote is free of charge. Omit `dry_run`, so that the quote can be purchased.' },
    })
    expect(await purchase(made.body.quote_id, key)).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
    expect(await unitsLeft()).toBe(10)
    expect(await purchase(made.body.quote_id)).toMatchObject({ status: 200, body: { units_charged: 1 } })
  })

  it('refuses to purchase an expired quote, but repeats an earlier purchase', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const [bought, late] = [await quote({ batch: { domains: ['a.example'] } }), await quote({ list: {} })]
    const first = await purchase(bought.quote_id)
    await sql`update quote set expires_at = now() - interval '1 second'`.execute(service.db)
    expect((await purchase(bought.quote_id)).body).toEqual(first.body)
    expect(await purchase(late.quote_id)).toMatchObject({
      status: 409,
      body: { detail: `Quote ${late.quote_id} has expired. Request a new quote.` },
    })
  })

  it('refuses to purchase a quote whose price has risen', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { quote_id, units_required } = await quote({ list: {} })
    expect(units_required).toBe(0)
    await caller.call('POST', '/v2/clients/me/tal/companies', { body: { domains: ['late.example'] } })
    expect(await purchase(quote_id)).toMatchObject({
      status: 409,
      body: { detail: `The price is now 1 unit, but quote ${quote_id} is for 0. Request a new quote.` },
    })
    expect(await unitsLeft()).toBe(10)
  })

  it('a quote that exceeds the balance says so, and its purchase is refused without charge', async () => {
    caller = await service.addCaller({ units_per_period: 1 })
    const { quote_id, is_covered } = await quote({ leadership: { domains: ['a.example'] } })
    expect(is_covered).toBe(false)
    expect(await purchase(quote_id)).toMatchObject({ status: 402, body: { code: 'insufficient_units' } })
    expect(await unitsLeft()).toBe(1)
  })

  it('responds 404 to a quote of another client and to an unknown quote', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { quote_id } = await quote({ batch: { domains: ['a.example'] } })
    caller = await service.addCaller({ units_per_period: 10 })
    for (const id of [quote_id, 'unknown', '00000000-0000-4000-8000-000000000000'])
      for (const reply of [await purchase(id), await read(id)])
        expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('a quote shows an approver the request, and the companies and persons that a purchase would enrich', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const batch = { domains: ['https://www.a.example/about', 'b.example'], emails: ['Ada@c.example'] }
    const { quote_id } = await quote({ batch })
    const { key } = await createApiKey(service.db, caller.client.client_id, { scopes: ['read', 'contacts'] })
    const { status, body } = await read(quote_id, '', key)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ status: 'open', request: { batch }, units_required: 3, units_now: 3, units_remaining: 10, is_covered: true },
      ...{ task_id: null, units_charged: null, items_total: 3, limit: 50, offset: 0 },
      message: '2 companies and 1 person will be enriched. Poll the task.',
    })
    expect(body.items).toEqual([
      { domain: 'a.example', units: 1 },
      { domain: 'b.example', units: 1 },
      { domain: 'c.example', person: { email: 'ada@c.example' }, units: 1 },
    ])
    expect((await read(quote_id, '?limit=1&offset=1')).body).toMatchObject({
      ...{ items: [{ domain: 'b.example', units: 1 }], items_total: 3, limit: 1, offset: 1 },
    })
    const { key: masked } = await createApiKey(service.db, caller.client.client_id, { scopes: ['read'] })
    expect(JSON.stringify((await read(quote_id, '', masked)).body)).not.toMatch(/ada@/i)
    const { key: writer } = await createApiKey(service.db, caller.client.client_id, { scopes: ['enrich'] })
    expect(await read(quote_id, '', writer)).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
    expect(await unitsLeft()).toBe(10)
  })

  it.each([
    { social_url: 'https://www.linkedin.com/in/ada-roe' },
    { full_name: 'Ada Roe', company_domain: 'c.example' },
  ])('a quote of one person shows the identifiers of the request: %o', async (person) => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { quote_id } = await quote({ person })
    expect((await read(quote_id)).body.items).toEqual([expect.objectContaining({ person, units: 1 })])
  })

  it('a quote of a list shows the companies that are now stale, and a price that has risen', async () => {
    caller = await service.addCaller({ units_per_period: 1 })
    const { quote_id } = await quote({ list: {} })
    expect((await read(quote_id)).body).toMatchObject({ status: 'open', units_now: 0, items: [] })
    await caller.call('POST', '/v2/clients/me/tal/companies', { body: { domains: ['late.example', 'later.example'] } })
    expect((await read(quote_id)).body).toMatchObject({
      ...{ status: 'open', units_required: 0, units_now: 2, is_covered: false, items_total: 2 },
      message: `The price is now 2 units, but quote ${quote_id} is for 0. Request a new quote.`,
    })
    expect((await read((await quote({ list: {} })).quote_id)).body.message).toBe(
      '2 companies to enrich, 0 skipped as fresh or already being enriched. The balance is too low: 2 required, 1 available.',
    )
  })

  it('a quote shows that it has expired, or the task that its purchase submitted', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const [bought, late] = [await quote({ batch: { domains: ['a.example'] } }), await quote({ list: {} })]
    const { task_id } = (await purchase(bought.quote_id)).body
    await sql`update quote set expires_at = now() - interval '1 second'`.execute(service.db)
    expect((await read(bought.quote_id)).body).toMatchObject({
      ...{
        status: 'purchased',
        task_id,
        units_charged: 1,
        units_required: 1,
        units_now: null,
        items: [],
        items_total: 0,
      },
      message: `Quote ${bought.quote_id} was purchased for 1 unit; see task ${task_id}.`,
    })
    expect((await read(late.quote_id)).body).toMatchObject({
      ...{ status: 'expired', task_id: null, units_charged: null, units_now: null, items: [] },
      message: `Quote ${late.quote_id} has expired. Request a new quote.`,
    })
  })

  it('a quote requires exactly one request', async () => {
    caller = await service.addCaller()
    for (const body of [{}, { list: {}, batch: { domains: ['a.example'] } }])
      expect(await caller.call('POST', '/v2/quotes', { body })).toMatchObject({
        status: 422,
        body: { detail: expect.stringMatching(/^Send exactly one of `company`/) },
      })
  })

  it('a quote is deleted after 24 hours', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { quote_id } = await quote({ batch: { domains: ['a.example'] } })
    await sql`update quote set created_at = now() - interval '25 hours' where quote_id = ${quote_id}`.execute(
      service.db,
    )
    expect(await pruneQuotes(service.db)).toBeGreaterThan(0)
    expect(await purchase(quote_id)).toMatchObject({ status: 404 })
    expect(await read(quote_id)).toMatchObject({ status: 404 })
  })
})

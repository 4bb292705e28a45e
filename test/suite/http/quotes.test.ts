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

const quote = async (body: object): Promise<Quote> =>
  (await caller.call<Quote & Body>('POST', '/v2/quotes', { body })).body
const purchase = (id: string, key?: string) => caller.call('POST', `/v2/quotes/${id}/purchase`, { ...(key && { key }) })
const unitsLeft = async () => (await caller.call('GET', '/v2/usage')).body['units_remaining']

describe('a quote', () => {
  it.each([
    [{ company: { domain: 'a.example', include_leadership: true } }, 6],
    [{ person: { full_name: 'Ada Byron', company_domain: 'a.example' } }, 1],
    [{ batch: { domains: ['a.example', 'b.example'] } }, 2],
    [{ leadership: { domains: ['a.example'] } }, 5],
    [{ signals: { domains: ['a.example'], callback_url: null } }, 3],
    [{ list: {} }, 0],
  ])('of %o costs %i, charges nothing, and its purchase charges it once', async (body, units) => {
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

  it('is made with the scope read and purchased with the scope enrich', async () => {
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
      body: { detail: 'A quote charges nothing. Omit `dry_run`, so that the quote can be purchased.' },
    })
    expect(await purchase(made.body.quote_id, key)).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
    expect(await unitsLeft()).toBe(10)
    expect(await purchase(made.body.quote_id)).toMatchObject({ status: 200, body: { units_charged: 1 } })
  })

  it('is refused after it has expired, but a purchase before that can be repeated', async () => {
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

  it('is refused when the price has risen', async () => {
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

  it('that the balance does not cover says so, and its purchase is refused without charge', async () => {
    caller = await service.addCaller({ units_per_period: 1 })
    const { quote_id, is_covered } = await quote({ leadership: { domains: ['a.example'] } })
    expect(is_covered).toBe(false)
    expect(await purchase(quote_id)).toMatchObject({ status: 402, body: { code: 'insufficient_units' } })
    expect(await unitsLeft()).toBe(1)
  })

  it('of another client, and an unknown one, is not found', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { quote_id } = await quote({ batch: { domains: ['a.example'] } })
    caller = await service.addCaller({ units_per_period: 10 })
    for (const id of [quote_id, 'unknown', '00000000-0000-4000-8000-000000000000'])
      expect(await purchase(id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('requires exactly one request', async () => {
    caller = await service.addCaller()
    for (const body of [{}, { list: {}, batch: { domains: ['a.example'] } }])
      expect(await caller.call('POST', '/v2/quotes', { body })).toMatchObject({
        status: 422,
        body: { detail: expect.stringMatching(/^Send one of `company`/) },
      })
  })

  it('is deleted after 24 hours', async () => {
    caller = await service.addCaller({ units_per_period: 10 })
    const { quote_id } = await quote({ batch: { domains: ['a.example'] } })
    await sql`update quote set created_at = now() - interval '25 hours' where quote_id = ${quote_id}`.execute(
      service.db,
    )
    expect(await pruneQuotes(service.db)).toBeGreaterThan(0)
    expect(await purchase(quote_id)).toMatchObject({ status: 404 })
  })
})

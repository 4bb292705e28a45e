import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { SCOPES } from '../../../src/contract/scopes.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
let customer: TestCaller
beforeAll(async () => {
  service = await startService()
  customer = await service.addCaller({ name: 'Customer', units_per_period: 100 })
  await balance()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = (rest = '') => `/v2/clients/${customer.client.client_id}${rest}`
const balance = async () => (await customer.call<Json>('GET', '/v2/usage')).body.units_remaining

describe('the clients of the service', () => {
  it('lists the clients with plan and balance', async () => {
    const { clients } = (await service.call<Json>('GET', '/v2/clients')).body
    expect(clients.map(({ client_id }: Json) => client_id).sort()).toEqual(
      [service.client.client_id, customer.client.client_id].sort(),
    )
    const listed = clients.find(({ name }: Json) => name === 'Customer')
    expect(listed).toMatchObject({ units_per_period: 100, units_remaining: 100, units_used_this_period: 0 })
  })

  it('updates only the given fields of a client', async () => {
    const body = {
      name: 'Customer Ltd',
      plan: 'large',
      units_per_period: 500,
      period: '30 days',
      overage_allowed: true,
      reads_per_minute: 50_000,
      submits_per_minute: 900,
      trial_ends_at: '2099-01-01T00:00:00+02:00',
    }
    const reply = await service.call<Json>('POST', path(), { body })
    expect(reply.body).toMatchObject({ ...body, trial_ends_at: '2098-12-31T22:00:00.000000Z', units_remaining: 100 })
    const next = await service.call<Json>('POST', path(), { body: { trial_ends_at: 'never' } })
    expect(next.body).toMatchObject({ ...body, trial_ends_at: null })
  })

  it.each([
    [{}, 422],
    [{ units_per_period: -1 }, 422],
    [{ period: 'soon' }, 400],
    [{ period: '1 hour' }, 400],
  ])('refuses to update a client with %j', async (body, status) => {
    expect((await service.call('POST', path(), { body })).status).toBe(status)
  })

  it('responds 404 to an unknown client', async () => {
    const unknown = { status: 404, body: { code: 'not_found' } }
    expect(await service.call('POST', '/v2/clients/nobody', { body: { plan: 'x' } })).toMatchObject(unknown)
    const body = { units: 1, reason: 'x' }
    expect(await service.call('POST', '/v2/clients/nobody/grants', { body })).toMatchObject(unknown)
  })

  it('grants a client units once per idempotency key, and withdraws at most the granted units', async () => {
    const before = await balance()
    const body = { units: 40, reason: 'invoice 7' }
    const grant = () => service.call<Json>('POST', path('/grants'), { body, headers: { 'idempotency-key': 'seven' } })
    const granted = { client_id: customer.client.client_id, units: 40, units_remaining: before + 40 }
    expect((await grant()).body).toEqual(granted)
    expect((await grant()).body).toEqual(granted)
    expect(await balance()).toBe(before + 40)
    const { entries } = (await service.call<Json>('GET', '/v2/audit?action=units.grant')).body
    expect(entries.filter(({ result }: Json) => result === 'ok')).toMatchObject([{ details: body }])
    const withdraw = (units: number) =>
      service.call<Json>('POST', path('/grants'), { body: { units, reason: 'mistake' } })
    expect((await withdraw(-30)).body.units_remaining).toBe(before + 10)
    for (const units of [-30, 0]) expect((await withdraw(units)).status).toBe(422)
    const ledger = (await customer.call<Json>('GET', '/v2/usage/ledger')).body.entries
    expect(ledger[0]).toMatchObject({ kind: 'grant', units: -30, reason: 'mistake' })
  })

  it('refuses keys without the scope access to clients, and to grant that scope', async () => {
    const others = SCOPES.filter((scope) => scope !== 'clients')
    const { key } = await createApiKey(service.db, customer.client.client_id, { scopes: others })
    const before = await balance()
    const missing = { status: 403, body: { code: 'missing_scope' } }
    expect(await service.call('GET', '/v2/clients', { key })).toMatchObject(missing)
    expect(await service.call('POST', path(), { key, body: { units_per_period: 1_000_000 } })).toMatchObject(missing)
    const body = { units: 1_000_000, reason: 'please' }
    expect(await service.call('POST', path('/grants'), { key, body })).toMatchObject(missing)
    const colleague = { label: 'colleague', scopes: ['read', 'clients'] }
    expect(await service.call('POST', '/v2/keys', { key, body: colleague })).toMatchObject(missing)
    expect((await service.call('POST', '/v2/keys', { body: colleague })).status).toBe(200)
    expect(await balance()).toBe(before)
  })
})

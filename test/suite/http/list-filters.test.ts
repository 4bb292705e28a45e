import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('a target account list', () => {
  it('is filtered by text, tag, status and change, and ordered by enrichment', async () => {
    const add = (domains: string[], source: string) =>
      service.call('POST', '/v2/clients/me/tal/companies', { body: { domains, source } })
    await add(['amber.example'], 'crm')
    await add(['birch.example'], 'fair')
    await service.db
      .insertInto('company')
      .values({
        domain: 'amber.example',
        name: 'Amber',
        enrichment_status: 'complete',
        enriched_at: '2026-11-01',
        is_public: true,
      })
      .execute()
    const found = async (query: string) =>
      (await service.call<Json>('GET', `/v2/clients/me/tal/companies?${query}`)).body.companies.map(
        ({ domain }: Json) => domain,
      )
    expect(await found('query=amber')).toEqual(['amber.example'])
    expect(await found('source=fair')).toEqual(['birch.example'])
    expect(await found('status=none')).toEqual(['birch.example'])
    expect(await found('changed_since=2099-01-01T00:00:00Z')).toEqual([])
    expect(await found('order=enriched_at.desc')).toEqual(['amber.example', 'birch.example'])
  })
})

describe('POST /v2/enrich/quote', () => {
  it('returns the cost of a company and of the list without charging it', async () => {
    const quote = async (body: object) => (await service.call<Json>('POST', '/v2/enrich/quote', { body })).body
    expect(await quote({ company: { domain: 'new.example', include_leadership: true } })).toMatchObject({
      units_required: 6,
    })
    expect(await quote({ list: {} })).toMatchObject({ units_required: expect.any(Number) })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestService } from '../../helpers/service.ts'
import { startServiceWithRecords } from '../../helpers/service-with-records.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
beforeAll(async () => {
  service = await startServiceWithRecords()
})
afterAll(() => service[Symbol.asyncDispose]())

const get = <Body = Json>(path: string) => service.call<Body>('GET', path)

describe('GET /v2/stats', () => {
  it('counts exactly', async () => {
    const { body } = await get('/v2/stats')
    const { db } = service
    const companies = await db.selectFrom('company').selectAll().execute()
    const persons = await db.selectFrom('person').selectAll().execute()
    expect(body).toEqual({
      companies: {
        total: companies.length,
        enriched: companies.filter((row) => row.enriched_at).length,
        from_formadv: 0,
      },
      persons: {
        total: persons.length,
        enriched: persons.length,
        from_formadv: persons.filter((row) => row.in_formadv).length,
      },
    })
  })
})

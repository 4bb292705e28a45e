import { afterAll, beforeAll } from 'vitest'
import { hashEmail } from '../../src/personal-data/email-hash.ts'
import { gathered, record, says, shows, tells } from './findings.ts'
import type { TestService } from './service.ts'
import { startService } from './service.ts'

export const JANE = hashEmail('jane@acme.example').hash

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
export type Json = any

/**
 * A service with three companies, shared by the tests in a file; acme.example has people, signals and conflicting
 * sources. `get` requests a path from the service.
 */
export function serveRecords() {
  let service: TestService
  beforeAll(async () => {
    service = await startServiceWithRecords()
  })
  afterAll(() => service[Symbol.asyncDispose]())
  return {
    get service() {
      return service
    },
    get: <Body = Json>(path: string) => service.call<Body>('GET', path),
  }
}

async function startServiceWithRecords(): Promise<TestService> {
  const service = await startService()
  await record(
    service.db,
    gathered('acme.example', {
      observations: [
        says('website', 'name', 'Acme Capital'),
        says('form-adv', 'name', 'ACME CAPITAL MANAGEMENT', { confidence: 0.6, raw: 'ACME CAPITAL MANAGEMENT, LLC' }),
        says('website', 'headquarters_state', 'New York'),
        says('website', 'industry', 'Investment Advice'),
        says('website', 'employee_count', 12),
      ],
      people: [
        shows('website', 'Bob Stone', { title: 'Analyst', seniority: 'staff' }),
        shows('website', 'Jane Roe', {
          title: 'Chief Executive Officer',
          seniority: 'executive',
          email: 'Jane@Acme.example',
        }),
        shows('form-adv', 'Jane Roe', { title: 'CHIEF EXECUTIVE OFFICER', confidence: 0.8, method: 'schedule-a' }),
      ],
      signals: [
        tells('website', 'Acme raises $5m', { date: '2026-10-01' }),
        tells('website', 'Acme opens in Oslo', { type: 'Expansion', date: '2026-11-01' }),
      ],
    }),
  )
  await record(
    service.db,
    gathered('birch.example', {
      observations: [says('website', 'name', 'Birch & Sons 100%'), says('website', 'headquarters_state', 'CA')],
    }),
  )
  await record(
    service.db,
    gathered('acme-foods.example', { observations: [says('website', 'name', 'The Acme Food Company')] }),
  )
  return service
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMembers } from '../../../src/tal/tal-members.ts'
import { gathered, record, shows } from '../../helpers/findings.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const ACME = 'acme.example'
let service: TestService

beforeAll(async () => {
  service = await startService()
  await addMembers(service.db, service.client.client_id, { domains: [ACME] })
  const people = ['Ann Ash', 'Bob Birk', 'Cy Cole', 'Dan Dale', 'Eve Elm'].map((name) =>
    shows('website', name, { title: 'Analyst' }),
  )
  await record(service.db, gathered(ACME, { people }), { taskId: 'first' })
})
afterAll(() => service[Symbol.asyncDispose]())

it.each([
  { limit: 5, offset: 0, names: 5 },
  { limit: 10, offset: 0, names: 5 },
  { limit: 2, offset: 0, names: 2 },
  { limit: 2, offset: 3, names: 2 },
  { limit: 2, offset: 4, names: 1 },
  { limit: 2, offset: 5, names: 0 },
  { limit: 2, offset: 9, names: 0 },
])('a company with 5 people has a total of 5 with limit $limit and offset $offset', async ({
  limit,
  offset,
  names,
}) => {
  const path = `/v2/companies/${ACME}/persons?limit=${limit}&offset=${offset}`
  const { body } = await service.call<{ total: number; persons: unknown[] }>('GET', path)
  expect([body.total, body.persons.length]).toEqual([5, names])
})

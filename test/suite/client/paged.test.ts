import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../src/client/index.ts'
import { createClient } from '../../../src/client/index.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

let service: TestService
let talhouse: Client
const requests: string[] = []

const domains = Array.from({ length: 7 }, (_, index) => `member-${index}.example`)

beforeAll(async () => {
  service = await startService()
  await storeFirms(service.postgres, generateFirms(7))
  talhouse = createClient({
    baseUrl: service.url,
    apiKey: service.key,
    onResponse: ({ request }) => requests.push(request),
  })
  await talhouse.tal.add({ domains, source: 'test' })
})
afterAll(() => service[Symbol.asyncDispose]())

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('a list of the client', () => {
  it('an awaited list returns one page', async () => {
    requests.length = 0
    const page = await talhouse.tal.list({ limit: 3, offset: 1 })
    expect(page.companies.map(({ domain }) => domain)).toEqual(domains.slice(1, 4))
    expect([page.total, requests.length]).toEqual([7, 1])
  })

  it('iterating a list returns all items, page by page', async () => {
    requests.length = 0
    const entries = await collect(talhouse.tal.list({ limit: 3 }))
    expect(entries.map(({ domain, source }) => [domain, source])).toEqual(domains.map((domain) => [domain, 'test']))
    expect(requests).toHaveLength(3)
  })

  it('pages a list by cursor, so that a removed entry does not shift later pages', async () => {
    const changing = await service.addCaller()
    const client = createClient({ baseUrl: service.url, apiKey: changing.key })
    await client.tal.add({ domains })
    const found: string[] = []
    for await (const { domain } of client.tal.list({ limit: 3 })) {
      found.push(domain)
      if (found.length === 3) await client.tal.remove({ domains: domains.slice(0, 2) })
    }
    expect(found).toEqual(domains)
  })

  it('pages a list by offset in orders without a cursor', async () => {
    const entries = await collect(talhouse.tal.list({ limit: 3, order: 'domain.desc' }))
    expect(entries.map(({ domain }) => domain)).toEqual(domains.toReversed())
  })

  it('iterates a list from the given offset to the first empty page', async () => {
    expect(await collect(talhouse.tal.list({ limit: 3, offset: 4 }))).toHaveLength(3)
    expect(await collect(talhouse.tal.list({ limit: 3, offset: 99 }))).toEqual([])
  })

  it('requests no page of a list beyond those that the loop needs', async () => {
    requests.length = 0
    for await (const entry of talhouse.tal.list({ limit: 2 })) if (entry.domain === domains[1]) break
    expect(requests).toHaveLength(1)
  })

  it('returns the awaited page and the iterated items of a list from one request', async () => {
    requests.length = 0
    const list = talhouse.tal.list({ limit: 10 })
    expect((await list).total).toBe(7)
    expect(await collect(list)).toHaveLength(7)
    expect(requests).toHaveLength(1)
  })

  it('pages firms by cursor, in any order and with the selected fields', async () => {
    const names = await collect(
      talhouse.firms.query({ select: ['legal_name', 'crd_number'], order: 'legal_name.asc', limit: 2 }),
    )
    expect(new Set(names.map(({ crd_number }) => crd_number)).size).toBe(7)
    expect(Object.keys(names[0] as object).sort()).toEqual(['crd_number', 'legal_name'])
  })

  it('a loop over a list throws the error of the first page', async () => {
    const wrong = createClient({ baseUrl: service.url, apiKey: 'thk_wrong' })
    await expect(collect(wrong.companies.search())).rejects.toMatchObject({ status: 401 })
  })
})

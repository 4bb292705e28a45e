import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyCompaniesToLists } from '../../../src/tal/copy-companies.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('a target account list', () => {
  it('filters a target account list by text, tag, status and change, and orders it by enrichment', async () => {
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
    expect(await found('domain=birch.example')).toEqual(['birch.example'])
    expect(await found('domain=birch')).toEqual([])
    expect(await found('status=none')).toEqual(['birch.example'])
    expect(await found('changed_since=2099-01-01T00:00:00Z')).toEqual([])
    expect(await found('order=enriched_at.desc')).toEqual(['amber.example', 'birch.example'])
  })
})

const addTo = (caller: TestCaller, domains: string[]) =>
  caller.call('POST', '/v2/clients/me/tal/companies', { body: { domains } })
const list = async (caller: TestCaller, query: string) => {
  const { companies, total } = (await caller.call<Json>('GET', `/v2/clients/me/tal/companies?${query}`)).body
  return { domains: companies.map(({ domain }: Json) => domain), total }
}

describe('the entries of a list', () => {
  it('updates list entries together with their companies if the client may see the companies', async () => {
    const [viewer, stranger] = [await service.addCaller(), await service.addCaller()]
    for (const caller of [viewer, stranger]) await addTo(caller, ['cedar.example', 'dogwood.example'])
    const seen = async (query: string) => [(await list(viewer, query)).domains, (await list(stranger, query)).domains]
    const { db } = service
    await db.insertInto('company').values({ domain: 'cedar.example', enrichment_status: 'failed' }).execute()
    expect(await seen('status=failed')).toEqual([[], []])
    const client_id = viewer.client.client_id
    await db.insertInto('company_viewer').values({ client_id, domain: 'cedar.example' }).execute()
    expect(await seen('status=failed')).toEqual([['cedar.example'], []])
    const found = {
      name: 'Zed',
      employee_count: 7,
      enrichment_status: 'complete',
      enriched_at: sql<string>`now()`,
    } as const
    await db
      .updateTable('company')
      .set({ ...found, history_at: sql<string>`now()`, is_public: true })
      .where('domain', '=', 'cedar.example')
      .execute()
    for (const query of [
      'query=zed',
      'query=ze',
      'query=cedar',
      'status=complete',
      'changed_since=2020-01-01T00:00:00Z',
    ])
      expect(await seen(query), query).toEqual([['cedar.example'], ['cedar.example']])
    expect(await seen('status=stale')).toEqual([['dogwood.example'], ['dogwood.example']])
    const late = await service.addCaller()
    await addTo(late, ['cedar.example'])
    expect(await list(late, 'query=zed')).toEqual({ domains: ['cedar.example'], total: 1 })
  })

  it('maintenance corrects list entries whose company was created while the entry was added', async () => {
    const caller = await service.addCaller()
    await service.db.transaction().execute(async (creating) => {
      await creating.insertInto('company').values({ domain: 'elm.example', name: 'Quick', is_public: true }).execute()
      await addTo(caller, ['elm.example'])
    })
    expect((await list(caller, 'query=quick')).domains).toEqual([])
    expect(await copyCompaniesToLists(service.db)).toBe(1)
    expect((await list(caller, 'query=quick')).domains).toEqual(['elm.example'])
    expect(await copyCompaniesToLists(service.db)).toBe(0)
  })

  it('orders list entries with absent values last in both directions, across pages', async () => {
    const caller = await service.addCaller()
    const names = ['fir', 'gum', 'hazel', 'ivy', 'juniper']
    await addTo(
      caller,
      names.map((name) => `${name}.example`),
    )
    for (const [index, name] of ['gum', 'hazel', 'ivy'].entries())
      await service.db
        .insertInto('company')
        .values({ domain: `${name}.example`, name: 'N'.repeat(5_000), employee_count: index, is_public: true })
        .execute()
    const pages = async (order: string) => {
      const found: string[] = []
      for (let offset = 0; offset < 6; offset += 2)
        found.push(...(await list(caller, `order=${order}&limit=2&offset=${offset}`)).domains)
      return found.map((domain) => domain.replace('.example', ''))
    }
    expect(await pages('employee_count.asc')).toEqual(['gum', 'hazel', 'ivy', 'fir', 'juniper'])
    expect(await pages('employee_count.desc')).toEqual(['ivy', 'hazel', 'gum', 'fir', 'juniper'])
    expect(await pages('name.desc')).toEqual(['gum', 'hazel', 'ivy', 'fir', 'juniper'])
    expect(await pages('domain.desc')).toEqual(names.toReversed())
  })

  it('counts list entries exactly without filters, and up to 10,000 with filters', async () => {
    const caller = await service.addCaller()
    await sql`
      insert into tal_member (client_id, domain)
      select ${caller.client.client_id}, 'member' || n || '.example' from generate_series(1, 10002) n`.execute(
      service.db,
    )
    expect((await list(caller, 'limit=1')).total).toBe(10_002)
    expect((await list(caller, 'limit=1&order=name.asc')).total).toBe(10_002)
    expect(await list(caller, 'limit=1&status=none')).toEqual({ domains: ['member1.example'], total: 10_000 })
    await caller.call('DELETE', '/v2/clients/me/tal/companies', {
      body: { domains: ['member1.example', 'no.example'] },
    })
    expect((await list(caller, 'limit=1')).total).toBe(10_001)
  })
})

describe('a cursor of a list', () => {
  const domains = ['aa.example', 'ab.example', 'ba.example', 'bb.example', 'bc.example']
  const page = async (caller: TestCaller, query: string) => {
    const { body } = await caller.call<Json>('GET', `/v2/clients/me/tal/companies?${query}`)
    return { domains: body.companies.map(({ domain }: Json) => domain), total: body.total, cursor: body.next_cursor }
  }

  it('a list cursor continues after the last entry, although entries before it were added and removed', async () => {
    const caller = await service.addCaller()
    await addTo(caller, domains)
    const first = await page(caller, 'limit=2')
    expect(first).toMatchObject({ domains: ['aa.example', 'ab.example'], total: 5 })
    await addTo(caller, ['a0.example'])
    await caller.call('DELETE', '/v2/clients/me/tal/companies', { body: { domains: ['ab.example'] } })
    const second = await page(caller, `limit=2&cursor=${first.cursor}`)
    expect(second).toMatchObject({ domains: ['ba.example', 'bb.example'], total: 5 })
    expect(await page(caller, `limit=2&cursor=${second.cursor}`)).toEqual({
      domains: ['bc.example'],
      total: 5,
      cursor: undefined,
    })
  })

  it('returns no cursor with a full last page of a list', async () => {
    const caller = await service.addCaller()
    await addTo(caller, domains)
    expect((await page(caller, 'limit=5')).cursor).toBeUndefined()
    expect((await page(caller, 'limit=4&order=domain.desc')).cursor).toBeUndefined()
    expect((await page(caller, 'limit=4&order=domain.asc')).cursor).toBeDefined()
  })

  it('a list cursor keeps the filters and their total', async () => {
    const caller = await service.addCaller()
    await addTo(caller, domains)
    const { cursor } = await page(caller, 'limit=1&query=b')
    expect(await page(caller, `limit=1&query=b&cursor=${cursor}`)).toMatchObject({ domains: ['ba.example'], total: 4 })
  })

  it.each([
    ['offset=1&cursor=CURSOR', 'omit offset to continue at the cursor'],
    ['order=name.asc&cursor=CURSOR', 'page with offset to order by name.asc'],
    ['order=domain.desc&cursor=CURSOR', 'page with offset to order by domain.desc'],
    ['cursor=CURSORx', 'pass next_cursor of the previous page unchanged'],
    ['cursor=', 'pass next_cursor of the previous page unchanged'],
    ['cursor=ba.example', 'pass next_cursor of the previous page unchanged'],
    [`cursor=${Buffer.from('after:a\0').toString('base64url')}`, 'pass next_cursor of the previous page unchanged'],
  ])('rejects a list cursor in %j', async (query, advice) => {
    const caller = await service.addCaller()
    await addTo(caller, domains)
    const { cursor } = await page(caller, 'limit=2')
    const { status, body } = await caller.call<Json>(
      'GET',
      `/v2/clients/me/tal/companies?${query.replace('CURSOR', cursor)}`,
    )
    expect([status, body.detail]).toEqual([422, expect.stringContaining(advice)])
  })
})

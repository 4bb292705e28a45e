import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcileUnits } from '../../../src/units/reconcile.ts'
import type { AnsweredService } from '../../helpers/answered-service.ts'
import { balance, resultOf, run, startAnsweredService, submit } from '../../helpers/answered-service.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let answered: AnsweredService
let service: TestService
beforeAll(async () => {
  answered = await startAnsweredService()
  service = answered.service
})
afterAll(() => answered[Symbol.asyncDispose]())

describe('a target account list', () => {
  const list = '/v2/clients/me/tal/companies'

  it('adds domains and URLs to a list and reports the result of each', async () => {
    await service.db
      .insertInto('company')
      .values({ domain: 'acme.example', name: 'Acme Capital', is_public: true })
      .execute()
    const body = {
      domains: ['https://www.Acme.example/', 'cedar.example', 'CEDAR.example', '10.0.0.1', 'dune.example'],
      source: 'fair',
    }
    expect(await service.call('POST', list, { body })).toMatchObject({
      status: 200,
      body: {
        added: ['acme.example', 'cedar.example', 'dune.example'],
        already_present: [],
        rejected: [{ input: '10.0.0.1', reason: expect.stringContaining('IP address') }],
      },
    })
    expect((await service.call('POST', list, { body: { domains: ['acme.example'], source: 'other' } })).body).toEqual({
      added: [],
      already_present: ['acme.example'],
      updated: [],
      rejected: [],
    })
    const { body: page } = await service.call<Json>('GET', `${list}?limit=2`)
    expect(page).toMatchObject({
      total: 3,
      limit: 2,
      offset: 0,
      companies: [
        { domain: 'acme.example', name: 'Acme Capital', source: 'fair', added_at: expect.stringMatching(/\.\d{6}Z$/) },
        { domain: 'cedar.example', enrichment_status: 'none', enriched_at: null },
      ],
    })
  })

  it('removes companies from a list', async () => {
    const body = { domains: ['https://cedar.example', 'elm.example', 'nonsense'] }
    expect((await service.call('DELETE', list, { body })).body).toEqual({
      removed: ['cedar.example'],
      not_present: ['elm.example', 'nonsense'],
    })
    expect((await service.call<Json>('GET', '/v2/companies/cedar.example')).status).toBe(404)
  })

  it.each([
    { domains: ['10.0.0.1'] },
    { domains: [] },
    { domains: 'acme.example' },
    { domains: [1] },
    { domains: ['acme.example'], tag: 'x' },
    {},
  ])('refuses to change a list with %j', async (body) => {
    expect(await service.call('POST', list, { body })).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
  })

  it("refuses a client access to another client's list", async () => {
    const other = await service.addCaller()
    expect((await other.call<Json>('GET', list)).body).toMatchObject({ companies: [], total: 0 })
    const own = list.replace('me', service.client.client_id)
    expect((await service.call<Json>('GET', own)).body.total).toBe(2)
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'GET' ? {} : { body: { domains: ['acme.example'] } }
      expect((await other.call(method, own, body)).status).toBe(404)
    }
    await other.call('POST', list, { body: { domains: ['acme.example'] } })
    await other.call('DELETE', list, { body: { domains: ['acme.example', 'dune.example'] } })
    expect((await service.call<Json>('GET', list)).body.total).toBe(2)
  })
})

describe('attributes of list entries', () => {
  const path = '/v2/clients/me/tal/companies'
  const add = (caller: TestCaller, body: object) => caller.call<Json>('POST', path, { body })
  const attributesOf = async (caller: TestCaller, query = '') => {
    const { body } = await caller.call<Json>('GET', `${path}${query}`)
    return body.companies.map(({ domain, attributes }: Json) => [domain, attributes])
  }

  it('sets attributes when a company is added to a list, and merges them when it is added again', async () => {
    const caller = await service.addCaller()
    const entries = [
      { domain: 'acme.example', attributes: { owner: 'Jane', tier: 'A' } },
      { domain: 'https://www.ACME.example', attributes: { phone: '1' } },
      { domain: 'birch.example' },
    ]
    expect((await add(caller, { entries, domains: ['cedar.example'] })).body).toMatchObject({
      added: ['cedar.example', 'acme.example', 'birch.example'],
      updated: [],
    })
    expect(await attributesOf(caller)).toEqual([
      ['acme.example', { owner: 'Jane', tier: 'A', phone: '1' }],
      ['birch.example', {}],
      ['cedar.example', {}],
    ])
    const changes = [
      { domain: 'acme.example', attributes: { owner: 'Ann', tier: null } },
      { domain: 'birch.example', attributes: { tier: null } },
    ]
    expect((await add(caller, { entries: changes })).body).toMatchObject({
      added: [],
      already_present: ['acme.example', 'birch.example'],
      updated: ['acme.example'],
    })
    expect(await attributesOf(caller)).toContainEqual(['acme.example', { owner: 'Ann', phone: '1' }])
  })

  it('filters a list by attributes', async () => {
    const caller = await service.addCaller()
    const entries = ['A', 'B', 'A'].map((tier, index) => ({
      domain: `filter-${index}.example`,
      attributes: { tier, 'link: to': `https://x.example/?a=${index}` },
    }))
    await add(caller, { entries })
    expect((await attributesOf(caller, '?attribute=tier:A')).map(([domain]: Json) => domain)).toEqual([
      'filter-0.example',
      'filter-2.example',
    ])
    const both = await caller.call<Json>('GET', `${path}?attribute=tier:A&attribute=tier:B`)
    expect(both.body).toMatchObject({ companies: [], total: 0 })
    expect((await caller.call('GET', `${path}?attribute=tier`)).status).toBe(400)
  })

  it('audits attributes with the change, and refuses attributes above the size limit', async () => {
    const caller = await service.addCaller()
    await add(caller, { domains: ['acme.example'] })
    await add(caller, { entries: [{ domain: 'acme.example', attributes: { tier: 'B' } }] })
    const { rows } = await sql<{ details: object }>`
      select details from audit_entry where target = ${caller.client.client_id} and action = 'list.add' order by entry_id desc limit 1`.execute(
      service.db,
    )
    expect(rows[0]?.details).toEqual({ added: 0, updated: 1, source: null })
    const large = Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`note ${index}`, 'x'.repeat(9_000)]))
    const reply = await add(caller, { entries: [{ domain: 'acme.example', attributes: large }] })
    expect(reply).toMatchObject({ status: 422, body: { detail: expect.stringContaining('16384 bytes') } })
  })
})

describe('POST /v2/clients/{client_id}/tal/enrich', () => {
  const list = async (caller: TestCaller, domains: string[]) =>
    await service.db
      .insertInto('tal_member')
      .values(domains.map((domain) => ({ client_id: caller.client.client_id, domain, source: null })))
      .execute()
  const rowsWritten = async () => {
    const { rows } = await sql<{ rows: number }>`
      select (select count(*) from task) + (select count(*) from task_item) + (select count(*) from ledger_entry)
        + (select count(*) from pgboss.job) + (select count(*) from idempotent_response) as rows`.execute(service.db)
    return rows[0]?.rows
  }

  it("a dry run of a list's enrichment returns the cost and writes no data", async () => {
    const caller = await service.addCaller({ units_per_period: 9 })
    await list(caller, ['tal-1.example', 'tal-2.example', 'tal-3.example'])
    expect(await balance(caller)).toBe(9)
    const before = await rowsWritten()
    const body = { dry_run: true }
    const reply = await caller.call('POST', '/v2/clients/me/tal/enrich', { body, headers: { 'idempotency-key': 'k' } })
    expect(reply.body).toMatchObject({
      task_id: null,
      status: 'dry_run',
      units_charged: 0,
      units_remaining: 9,
      units_required: 3,
      companies_to_enrich: 3,
      companies_skipped: 0,
    })
    expect(await rowsWritten()).toBe(before)
  })

  it('enriches the stale companies of a list, skips fresh companies, and enriches all companies with force', async () => {
    const caller = await service.addCaller({ units_per_period: 20 })
    await list(caller, ['age-1.example', 'age-2.example', 'age-3.example'])
    await run(caller, '/v2/enrich/company', { domain: 'age-1.example' })
    const path = `/v2/clients/${caller.client.client_id}/tal/enrich`
    const first = await submit(caller, path, {})
    expect(first).toMatchObject({ companies_to_enrich: 2, companies_skipped: 1, units_charged: 2 })
    await resultOf(caller, first.task_id)
    const nothing = await submit(caller, path, {})
    expect(nothing).toMatchObject({
      status: 'queued',
      companies_to_enrich: 0,
      companies_skipped: 3,
      units_charged: 0,
    })
    expect((await resultOf(caller, nothing.task_id)).output_data).toEqual({ companies: [], units_refunded: 0 })
    expect(await submit(caller, path, { max_age_days: 0 })).toMatchObject({ companies_to_enrich: 3 })
    expect(await submit(caller, path, { force: true, max_age_days: 10 })).toMatchObject({ task_id: expect.any(String) })
  })

  it('reports that the list to enrich is empty', async () => {
    const caller = await service.addCaller()
    const { message } = await submit(caller, '/v2/clients/me/tal/enrich', {})
    expect(message).toContain('list is empty')
  })

  it('enriching a list needs no body', async () => {
    const caller = await service.addCaller()
    const path = '/v2/clients/me/tal/enrich'
    expect((await caller.call('POST', path)).status).toBe(200)
    expect((await caller.call('POST', path, { headers: { 'content-type': 'application/json' } })).status).toBe(200)
  })

  it('enriches a company of a list once for concurrent requests', async () => {
    const caller = await service.addCaller({ units_per_period: 100 })
    await list(caller, ['race-1.example', 'race-2.example'])
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => submit(caller, '/v2/clients/me/tal/enrich', { max_age_days: 100 })),
    )
    expect(replies.reduce((sum, { units_charged }) => sum + units_charged, 0)).toBe(2)
  })

  it("responds 404 when another client's list is enriched", async () => {
    const stranger = await service.addCaller()
    const path = `/v2/clients/${stranger.client.client_id}/tal/enrich`
    expect((await service.call('POST', path, { body: {} })).status).toBe(404)
  })
})

describe('the ledger', () => {
  it('the ledger balances after all submissions of lists', async () => {
    expect((await reconcileUnits(service.db)).discrepancies).toEqual([])
  })
})

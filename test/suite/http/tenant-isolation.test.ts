import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnsweredService } from '../../helpers/answered-service.ts'
import { run, startAnsweredService, submit } from '../../helpers/answered-service.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'

const LISTED = 'quiet-target.example'
const PENDING = 'under-enrichment.example'
const MISSED = 'nothing-found.example'

let bench: AnsweredService
let service: TestService
let spy: TestCaller
beforeAll(async () => {
  bench = await startAnsweredService()
  service = bench.service
  spy = await service.addCaller()
})
afterAll(() => bench[Symbol.asyncDispose]())

const get = (caller: TestCaller, path: string) => caller.call<Record<string, unknown>>('GET', path)
const withoutId = ({ body, status }: { body: Record<string, unknown>; status: number }) => ({
  ...body,
  status,
  request_id: '',
})

describe('a company that only another client has listed or is enriching', () => {
  let before: Record<string, unknown>
  beforeAll(async () => {
    before = (await get(spy, '/v2/stats')).body
    await service.call('POST', '/v2/clients/me/tal/companies', { body: { domains: [LISTED], source: 'secret-tag' } })
    bench.answers.known.set(MISSED, { status: 404 })
    await run(service, '/v2/enrich/company', { domain: MISSED })
    bench.answers.known.set(PENDING, { silent: true })
    await submit(service, '/v2/enrich/company', { domain: PENDING })
  })

  const paths = (domain: string) => [
    `/v2/companies/${domain}`,
    `/v2/companies/${domain}?include=all&include_provenance=true`,
    `/v2/companies/${domain}/persons`,
    `/v2/companies/${domain}/history`,
  ]

  it.each([LISTED, PENDING, MISSED])('responds to another client for %s as for an unknown company', async (domain) => {
    for (const path of paths(domain)) {
      const foreign = withoutId(await get(spy, path))
      const missing = withoutId(await get(spy, path.replace(domain, 'no-such-company.example')))
      expect(JSON.stringify(foreign).replaceAll(domain, 'X')).toBe(
        JSON.stringify(missing).replaceAll('no-such-company.example', 'X'),
      )
    }
  })

  it.each([
    'companies',
    'persons',
  ])('lists the companies as not found in a batch of %s of another client', async (kind) => {
    const domains = [LISTED, PENDING, MISSED]
    const { body } = await spy.call<Record<string, unknown>>('POST', `/v2/${kind}/batch-read`, { body: { domains } })
    expect(body).toEqual({ companies: [], not_found: domains })
  })

  it("a company that only one client uses does not appear in another client's searches, lists, tasks, deliveries, usage or counts", async () => {
    const seen: unknown[] = []
    for (const path of [
      '/v2/companies?limit=200',
      '/v2/companies?query=quiet',
      '/v2/companies?query=under-enrichment.example',
      '/v2/companies?query=nothing-fuond',
      '/v2/companies?enrichment_status=none&limit=200',
      '/v2/companies?enrichment_status=pending&limit=200',
      '/v2/companies?enrichment_status=not_found&limit=200',
      `/v2/persons?company_domain=${LISTED}`,
      '/v2/clients/me/tal/companies',
      `/v2/clients/${service.client.client_id}/tal/companies`,
      '/v2/tasks',
      '/v2/webhooks/deliveries',
      '/v2/usage',
    ])
      seen.push((await get(spy, path)).body)
    for (const secret of [LISTED, PENDING, MISSED, 'secret-tag', service.client.client_id])
      expect(JSON.stringify(seen)).not.toContain(secret)
    expect((await get(spy, '/v2/stats')).body).toEqual(before)
  })

  it('does not reveal to a client that another client has listed or enriched the same company', async () => {
    const body = { domains: [LISTED, PENDING, MISSED, 'no-such-company.example'] }
    const { body: added } = await spy.call('POST', '/v2/clients/me/tal/companies', { body })
    expect(added).toMatchObject({ added: body.domains, already_present: [] })
    const { companies } = (await get(spy, '/v2/clients/me/tal/companies')).body as {
      companies: Record<string, unknown>[]
    }
    const states = companies.map(({ domain: _, added_at: __, updated_at: ___, ...rest }) => JSON.stringify(rest))
    expect(new Set(states).size).toBe(1)
    await spy.call('DELETE', '/v2/clients/me/tal/companies', { body })
  })

  it('a company that only one client uses is visible to that client', async () => {
    expect((await get(service, `/v2/companies/${LISTED}`)).body).toMatchObject({ enrichment_status: 'none' })
    expect((await get(service, `/v2/companies/${PENDING}`)).body).toMatchObject({ enrichment_status: 'pending' })
    expect((await get(service, `/v2/companies/${MISSED}`)).body).toMatchObject({ enrichment_status: 'not_found' })
    const { companies } = (await get(service, '/v2/companies?enrichment_status=pending')).body as {
      companies: { domain: string }[]
    }
    expect(companies.map(({ domain }) => domain)).toEqual([PENDING])
  })

  it('a company becomes public once it is enriched', async () => {
    bench.answers.known.set('found.example', { name: 'Found' })
    await run(service, '/v2/enrich/company', { domain: 'found.example' })
    expect((await get(spy, '/v2/companies/found.example')).body).toMatchObject({ name: 'Found' })
  })
})

describe('one client', () => {
  it('one client cannot send filters that are expensive to compare', async () => {
    const filter = (value: string) => spy.call('POST', '/firms', { body: { filters: { legal_name: value } } })
    expect(await filter(`ilike.${'%a'.repeat(11)}`)).toMatchObject({ status: 422 })
    expect(await filter(`eq.${'x'.repeat(201)}`)).toMatchObject({ status: 422 })
    expect(await filter(`ilike.${'%a'.repeat(10)}`)).toMatchObject({ status: 200 })
  })

  it('refuses a client with 429 when too many of its requests wait, while another client is served', async () => {
    let flood: Promise<{ status: number }>[] = []
    await service.db.transaction().execute(async (trx) => {
      // Blocks all searches: 8 run, 200 wait, and the others are refused.
      await sql`lock table company in access exclusive mode`.execute(trx)
      flood = Array.from({ length: 220 }, () => get(service, '/v2/companies?query=acme'))
      expect((await Promise.race(flood)).status).toBe(429)
      expect((await get(spy, '/v2/usage')).status).toBe(200)
    })
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(12)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })
})

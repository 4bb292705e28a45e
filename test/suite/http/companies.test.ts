import { describe, expect, it } from 'vitest'
import type { Json } from '../../helpers/service-with-records.ts'
import { JANE, serveRecords } from '../../helpers/service-with-records.ts'

const records = serveRecords()
const { get } = records

describe('GET /v2/companies/{domain}', () => {
  it('returns the record of a company for any spelling of the domain', async () => {
    const { status, body } = await get('/v2/companies/WWW.Acme.example')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      domain: 'acme.example',
      name: 'Acme Capital',
      employee_count: 12,
      phone: null,
      enrichment_status: 'complete',
      in_formadv: false,
    })
    expect(body.enriched_at).toMatch(/\.\d{6}Z$/)
    for (const group of ['formadv', 'leadership', 'signals', 'provenance']) expect(body).not.toHaveProperty(group)
  })

  it('adds the requested groups to a company', async () => {
    const { body } = await get('/v2/companies/acme.example?include=leadership,signals')
    expect(body.leadership).toMatchObject([
      {
        full_name: 'Jane Roe',
        title: 'Chief Executive Officer',
        email: 'jane@acme.example',
        email_hash: JANE,
        email_status: 'published',
      },
      { full_name: 'Bob Stone', email_hash: null },
    ])
    expect(body.signals.map(({ headline, type, date }: Json) => [headline, type, date])).toEqual([
      ['Acme opens in Oslo', 'Expansion', '2026-11-01'],
      ['Acme raises $5m', 'Funding', '2026-10-01'],
    ])
    expect(body).not.toHaveProperty('formadv')
    expect(Object.keys((await get('/v2/companies/acme.example?include=all')).body)).toEqual(
      expect.arrayContaining(['formadv', 'leadership', 'signals']),
    )
  })

  it('returns provenance and alternative values for each field of a company', async () => {
    const { body } = await get('/v2/companies/acme.example?include_provenance=true')
    expect(body.provenance.name).toMatchObject({
      source: 'website',
      url: 'https://website.example/',
      method: 'page',
      confidence: expect.any(Number),
      alternatives: [
        { source: 'form-adv', value: 'ACME CAPITAL MANAGEMENT', raw: 'ACME CAPITAL MANAGEMENT, LLC', confidence: 0.6 },
      ],
    })
    expect(Object.keys(body.provenance)).not.toContain('phone')
  })

  it.each([
    ['/v2/companies/unknown.example', 404, 'not_found'],
    ['/v2/companies/10.0.0.1', 400, 'invalid_request'],
    ['/v2/companies/acme.example?include=people', 400, 'invalid_request'],
    ['/v2/companies/acme.example?include_provenance=yes', 400, 'invalid_request'],
    ['/v2/companies/acme.example?x=1', 400, 'invalid_request'],
  ])('responds to %s with %i', async (path, status, code) => {
    expect(await get(path)).toMatchObject({ status, body: { code, detail: expect.any(String) } })
  })
})

describe('GET /v2/companies', () => {
  const found = async (query: string) =>
    (await get(`/v2/companies?${query}`)).body.companies.map(({ domain }: Json) => domain)

  it('pages companies by domain with the total', async () => {
    const { body } = await get('/v2/companies?limit=2&offset=1')
    expect(body).toMatchObject({
      total: 3,
      limit: 2,
      offset: 1,
      companies: [{ domain: 'acme.example' }, { domain: 'birch.example' }],
    })
    expect((await get('/v2/companies')).body).toMatchObject({ limit: 50, offset: 0 })
  })

  it('finds companies by name, domain and URL, best match first', async () => {
    expect(await found('query=acme')).toEqual(['acme.example', 'acme-foods.example'])
    expect(await found('query=birch.example')).toEqual(['birch.example'])
    expect(await found('query=https://www.acme.example/about')).toEqual(['acme.example'])
    expect(await found('query=Food%20%20Comp')).toEqual(['acme-foods.example'])
  })

  it('tolerates typos in a search for companies', async () => {
    expect(await found('query=acme%20captial')).toEqual(['acme.example'])
    expect(await found('query=brich')).toEqual(['birch.example'])
    expect(await found('query=zzzzzz')).toEqual([])
  })

  it('matches wildcard characters in a search for companies literally', async () => {
    expect(await found('query=100%25')).toEqual(['birch.example'])
    expect(await found('query=_')).toEqual([])
    expect(await found("query='")).toEqual([])
  })

  it('filters companies by state, industry, status and filing', async () => {
    expect(await found('state=ny')).toEqual(['acme.example'])
    expect(await found('state=California')).toEqual(['birch.example'])
    expect(await found('industry=investment%20advice')).toEqual(['acme.example'])
    expect(await found('enrichment_status=partial')).toEqual([])
    expect(await found('in_formadv=true')).toEqual([])
    expect(await found('query=acme&state=NY&in_formadv=false')).toEqual(['acme.example'])
  })

  it('adds groups to each company of a list', async () => {
    const { body } = await get('/v2/companies?query=acme&include=leadership')
    expect(body.companies.map(({ leadership }: Json) => leadership.length)).toEqual([2, 0])
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=ten',
    'offset=-1',
    'enrichment_status=done',
    'in_formadv=maybe',
    'query=',
  ])('refuses a list of companies with %s', async (query) => {
    expect(await get(`/v2/companies?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

it.each(['companies', 'persons'])('refuses to skip more than 100,000 %s', async (kind) => {
  expect(await get(`/v2/${kind}?offset=100001`)).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
})

describe('filters of companies', () => {
  it.each([
    ['/v2/companies?min_employees=10&max_employees=12', 1],
    ['/v2/companies?min_employees=13', 0],
    ['/v2/companies?country=nowhere', 0],
    ['/v2/companies?founded_from=1900&founded_to=2000', 0],
  ])('the company filter %s matches %i', async (path, count) => {
    const { status, body } = await get(path)
    expect(status).toBe(200)
    expect(body.companies).toHaveLength(count)
  })
})

describe('POST /v2/companies/batch-read', () => {
  it('batch-read returns known companies with their groups in the order of the request, and lists the unknown companies', async () => {
    const domains = ['birch.example', 'https://www.acme.example/x', 'unknown.example', 'localhost', 'acme.example']
    const { status, body } = await records.service.call<Json>('POST', '/v2/companies/batch-read', {
      body: { domains, include: 'leadership' },
    })
    expect(status).toBe(200)
    expect(body.companies.map(({ domain }: Json) => domain)).toEqual(['birch.example', 'acme.example'])
    expect(body.companies[1].leadership.length).toBeGreaterThan(0)
    expect(body.not_found).toEqual(['unknown.example', 'localhost'])
  })
})

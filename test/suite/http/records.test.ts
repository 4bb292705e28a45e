import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordFindings } from '../../../src/companies/record-findings.ts'
import type { Gathered } from '../../../src/findings/gather.ts'
import { hashEmail } from '../../../src/personal-data/email-hash.ts'
import { gathered, says, shows, tells } from '../../helpers/findings.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: every response is validated against the OpenAPI document
type Json = any

let service: TestService
const record = (found: Gathered) =>
  service.db
    .transaction()
    .execute((trx) => recordFindings(trx, found, { taskId: null, now: new Date(), maxPeople: 50 }))
const jane = hashEmail('jane@acme.example').hash

beforeAll(async () => {
  service = await startService()
  await record(
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
    gathered('birch.example', {
      observations: [says('website', 'name', 'Birch & Sons 100%'), says('website', 'headquarters_state', 'CA')],
    }),
  )
  await record(gathered('acme-foods.example', { observations: [says('website', 'name', 'The Acme Food Company')] }))
})
afterAll(() => service[Symbol.asyncDispose]())

const get = <Body = Json>(path: string) => service.call<Body>('GET', path)

describe('GET /v2/companies/{domain}', () => {
  it('returns the record for any spelling of the domain', async () => {
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

  it('adds the requested groups', async () => {
    const { body } = await get('/v2/companies/acme.example?include=leadership,signals')
    expect(body.leadership).toMatchObject([
      {
        full_name: 'Jane Roe',
        title: 'Chief Executive Officer',
        email: 'jane@acme.example',
        email_hash: jane,
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

  it('returns provenance and alternative values per field', async () => {
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
  ])('answers %s with %i', async (path, status, code) => {
    expect(await get(path)).toMatchObject({ status, body: { code, detail: expect.any(String) } })
  })
})

describe('GET /v2/companies', () => {
  const found = async (query: string) =>
    (await get(`/v2/companies?${query}`)).body.companies.map(({ domain }: Json) => domain)

  it('pages by domain with the total', async () => {
    const { body } = await get('/v2/companies?limit=2&offset=1')
    expect(body).toMatchObject({
      total: 3,
      limit: 2,
      offset: 1,
      companies: [{ domain: 'acme.example' }, { domain: 'birch.example' }],
    })
    expect((await get('/v2/companies')).body).toMatchObject({ limit: 50, offset: 0 })
  })

  it('finds by name, domain and URL, best match first', async () => {
    expect(await found('query=acme')).toEqual(['acme.example', 'acme-foods.example'])
    expect(await found('query=birch.example')).toEqual(['birch.example'])
    expect(await found('query=https://www.acme.example/about')).toEqual(['acme.example'])
    expect(await found('query=Food%20%20Comp')).toEqual(['acme-foods.example'])
  })

  it('tolerates typos', async () => {
    expect(await found('query=acme%20captial')).toEqual(['acme.example'])
    expect(await found('query=brich')).toEqual(['birch.example'])
    expect(await found('query=zzzzzz')).toEqual([])
  })

  it('matches wildcard characters literally', async () => {
    expect(await found('query=100%25')).toEqual(['birch.example'])
    expect(await found('query=_')).toEqual([])
    expect(await found("query='")).toEqual([])
  })

  it('filters by state, industry, status and filing', async () => {
    expect(await found('state=ny')).toEqual(['acme.example'])
    expect(await found('state=California')).toEqual(['birch.example'])
    expect(await found('industry=investment%20advice')).toEqual(['acme.example'])
    expect(await found('enrichment_status=partial')).toEqual([])
    expect(await found('in_formadv=true')).toEqual([])
    expect(await found('query=acme&state=NY&in_formadv=false')).toEqual(['acme.example'])
  })

  it('adds groups to each company', async () => {
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
  ])('refuses %s', async (query) => {
    expect(await get(`/v2/companies?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

describe('persons', () => {
  it('are listed by company, most senior first', async () => {
    const { body } = await get('/v2/companies/acme.example/persons?limit=1')
    expect(body).toMatchObject({
      total: 2,
      limit: 1,
      offset: 0,
      persons: [{ full_name: 'Jane Roe', company_name: 'Acme Capital', in_formadv: true }],
    })
    expect(await get('/v2/companies/unknown.example/persons')).toMatchObject({ status: 404 })
    expect(await get('/v2/companies/acme.example/persons?limit=201')).toMatchObject({ status: 400 })
  })

  it('are read by email_hash or the full digest', async () => {
    const { body } = await get(`/v2/persons/${jane}`)
    expect(body).toMatchObject({
      email_hash: jane,
      email: 'jane@acme.example',
      first_name: 'Jane',
      full_name: 'Jane Roe',
      title: 'Chief Executive Officer',
      seniority: 'executive',
      company_domain: 'acme.example',
      enrichment_status: 'complete',
    })
    for (const group of ['contact', 'profile', 'formadv', 'history', 'provenance'])
      expect(body).not.toHaveProperty(group)
    expect((await get(`/v2/persons/${hashEmail('jane@acme.example').digest}`)).body).toEqual(body)
    expect(await get('/v2/persons/0000000000000000')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await get('/v2/persons/jane@acme.example')).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('include requested groups and provenance', async () => {
    const { body } = await get(`/v2/persons/${jane}?include=all&include_provenance=true`)
    expect(body.contact).toMatchObject({
      email: 'jane@acme.example',
      email_status: 'published',
      email_confidence: 0.95,
    })
    expect(body.profile).toMatchObject({
      left_at: null,
      company_industry: 'Investment Advice',
      company_state: 'New York',
    })
    expect(body.formadv).toMatchObject({ title: 'CHIEF EXECUTIVE OFFICER', full_name: 'Jane Roe' })
    expect(body.history.map(({ field }: Json) => field)).toContain('title')
    expect(body.provenance.title).toMatchObject({
      source: 'website',
      alternatives: [{ source: 'form-adv', value: 'CHIEF EXECUTIVE OFFICER' }],
    })
  })

  it('with colliding email_hash are distinguished by the full digest', async () => {
    const digests = [`${'ab'.repeat(8)}${'0'.repeat(48)}`, `${'ab'.repeat(8)}${'1'.repeat(48)}`]
    for (const [place, email_digest] of digests.entries()) {
      await service.db
        .insertInto('person')
        .values({
          company_domain: 'birch.example',
          email: `twin-${place}@birch.example`,
          email_hash: 'ab'.repeat(8),
          email_digest,
          full_name: `Twin ${place}`,
          name_key: `twin ${place}`,
          last_seen_at: '2026-11-01T00:00:00Z',
        })
        .execute()
    }
    expect(await get(`/v2/persons/${'ab'.repeat(8)}`)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await get(`/v2/persons/${'ab'.repeat(8)}/history`)).toMatchObject({ status: 409 })
    expect((await get(`/v2/persons/${digests[1]}`)).body.full_name).toBe('Twin 1')
    await service.db.deleteFrom('person').where('email_hash', '=', 'ab'.repeat(8)).execute()
  })

  it('are found by name, company, title and seniority with a subset of fields', async () => {
    const found = async (query: string) =>
      (await get(`/v2/persons?${query}`)).body.persons.map(({ full_name }: Json) => full_name)
    expect(await found('query=jane%20roe')).toEqual(['Jane Roe'])
    expect(await found('query=jnae%20roe')).toEqual(['Jane Roe'])
    expect(await found('company_domain=https://ACME.example')).toHaveLength(2)
    expect(await found('title=executive')).toEqual(['Jane Roe'])
    expect(await found('seniority=staff')).toEqual(['Bob Stone'])
    const { body } = await get('/v2/persons?query=jane&include=contact')
    expect(body).toMatchObject({ total: 1, limit: 50, offset: 0 })
    expect(Object.keys(body.persons[0])).toEqual([
      'person_id',
      'email_hash',
      'email',
      'full_name',
      'title',
      'seniority',
      'company_domain',
      'company_name',
      'contact',
    ])
    expect(await get('/v2/persons?limit=201')).toMatchObject({ status: 400 })
  })
})

describe('history', () => {
  it('pages changes of a company by since with microseconds and no duplicates', async () => {
    const { body } = await get('/v2/companies/acme.example/history')
    expect(body).toMatchObject({ limit: 50, offset: 0 })
    expect(body.events.map(({ key }: Json) => key)).toEqual([
      'acme.example',
      'acme.example',
      'acme.example',
      'acme.example',
    ])
    const since = body.events[1].changed_at
    expect(since).toMatch(/\.\d{6}Z$/)
    expect((await get(`/v2/companies/acme.example/history?since=${since}`)).body.events).toEqual([body.events[0]])
    // Python's isoformat in an unencoded URL: the + arrives as a space.
    const offset = since.replace('Z', '+00:00')
    expect((await get(`/v2/companies/acme.example/history?since=${offset}`)).body.events).toEqual([body.events[0]])
    expect((await get(`/v2/companies/acme.example/history?field=name`)).body.events).toMatchObject([
      { new_value: 'Acme Capital' },
    ])
    expect((await get('/v2/companies/acme.example/history?order=asc&limit=1')).body.events).toEqual([body.events[3]])
  })

  it('returns the changes of a person', async () => {
    const { body } = await get(`/v2/persons/${jane}/history?order=asc`)
    expect(body.events[0]).toMatchObject({
      entity: 'person',
      key: jane,
      field: 'full_name',
      old_value: null,
      new_value: 'Jane Roe',
    })
  })

  it.each([
    ['/v2/companies/unknown.example/history', 404],
    ['/v2/persons/0000000000000000/history', 404],
    ['/v2/companies/acme.example/history?since=yesterday', 400],
    ['/v2/companies/acme.example/history?limit=201', 400],
    ['/v2/companies/acme.example/history?order=up', 400],
  ])('answers %s with %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })
})

describe('history fields', () => {
  it.each([
    '/v2/companies/acme.example/history',
    `/v2/persons/${jane}/history`,
  ])('responds 422 to an unknown field of %s', async (path) => {
    const reply = await get(`${path}?field=nothing`)
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ path: 'field' }] } })
  })

  it('have timestamps with microseconds', async () => {
    const domain = 'leaving.example'
    await record(gathered(domain, { people: [shows('website', 'Ann Lee', { email: 'ann@leaving.example' })] }))
    await record(gathered(domain, { people: [shows('website', 'Bo Ek')] }))
    const { body } = await get(`/v2/persons/${hashEmail('ann@leaving.example').hash}/history?field=left_at`)
    expect(body.events).toEqual([
      expect.objectContaining({ new_value: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) }),
    ])
  })
})

describe('POST /v2/companies/batch-read', () => {
  it('returns known companies with groups in the order of the request, and lists the others', async () => {
    const domains = ['birch.example', 'https://www.acme.example/x', 'unknown.example', 'localhost', 'acme.example']
    const { status, body } = await service.call<Json>('POST', '/v2/companies/batch-read', {
      body: { domains, include: 'leadership' },
    })
    expect(status).toBe(200)
    expect(body.companies.map(({ domain }: Json) => domain)).toEqual(['birch.example', 'acme.example'])
    expect(body.companies[1].leadership.length).toBeGreaterThan(0)
    expect(body.not_found).toEqual(['unknown.example', 'localhost'])
  })
})

describe('filters', () => {
  it.each([
    ['/v2/companies?min_employees=10&max_employees=12', 'companies', 1],
    ['/v2/companies?min_employees=13', 'companies', 0],
    ['/v2/companies?country=nowhere', 'companies', 0],
    ['/v2/companies?founded_from=1900&founded_to=2000', 'companies', 0],
    ['/v2/persons?department=none', 'persons', 0],
    ['/v2/persons?company_city=nowhere', 'persons', 0],
  ])('%s matches %s: %i', async (path, list, count) => {
    const { status, body } = await get(path)
    expect(status).toBe(200)
    expect(body[list]).toHaveLength(count)
  })
})

describe('lenient input', () => {
  it.each(['True', 'TRUE', 'true'])('accepts %s as a boolean parameter', async (value) => {
    const { status, body } = await get(`/v2/companies/acme.example?include_provenance=${value}`)
    expect(status).toBe(200)
    expect(body).toHaveProperty('provenance')
  })

  it('ignores a trailing slash', async () => {
    expect((await get('/v2/companies/acme.example/')).status).toBe(200)
    expect((await get('/v2/stats/?')).status).toBe(200)
    expect((await get('/v2/nothing/')).status).toBe(404)
  })

  it.each(['callback_url', 'force', 'include_leadership'])('treats %s: null as absent', async (name) => {
    const body = { domain: 'acme.example', [name]: null }
    expect((await service.call('POST', '/v2/enrich/company', { body })).status).toBe(200)
  })
})

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

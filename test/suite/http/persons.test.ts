import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { hashEmail } from '../../../src/personal-data/email-hash.ts'
import { readPerson } from '../../../src/persons/read-person.ts'
import type { Json } from '../../helpers/service-with-records.ts'
import { JANE, serveRecords } from '../../helpers/service-with-records.ts'

const records = serveRecords()
const { get } = records

describe('persons', () => {
  it('lists persons by company, most senior first', async () => {
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

  it('lists persons with provenance on request', async () => {
    const { body } = await get('/v2/companies/acme.example/persons?include_provenance=true&limit=1')
    expect(body.persons[0].provenance.title).toMatchObject({ source: 'website' })
    expect((await get('/v2/companies/acme.example/persons?limit=1')).body.persons[0]).not.toHaveProperty('provenance')
  })

  it('lists the persons of several companies in the order of the request, and the unknown companies', async () => {
    const domains = ['birch.example', 'https://www.acme.example/x', 'unknown.example', 'localhost', 'acme.example']
    const { status, body } = await records.service.call<Json>('POST', '/v2/persons/batch-read', {
      body: { domains, include: 'contact' },
    })
    expect(status).toBe(200)
    const pages = ['birch.example', 'acme.example'].map(async (domain) => {
      const { body: page } = await get(`/v2/companies/${domain}/persons?include=contact`)
      return { domain, persons: page.persons, total: page.total }
    })
    expect(body.companies).toEqual(await Promise.all(pages))
    expect(body.companies[1].persons[0]).toMatchObject({ contact: { email: 'jane@acme.example' } })
    expect(body.not_found).toEqual(['unknown.example', 'localhost'])
  })

  it('lists the first 50 persons of a company in a batch, and their total', async () => {
    const { db } = records.service
    await sql`
      insert into person (company_domain, person_id, full_name, name_key, in_formadv, enrichment_status, last_seen_at)
      select 'birch.example', gen_random_uuid(), 'Person ' || number, 'person ' || number, false, 'complete', now()
      from generate_series(1, 51) as number`.execute(db)
    const { body } = await records.service.call<Json>('POST', '/v2/persons/batch-read', {
      body: { domains: ['birch.example'] },
    })
    const { body: page } = await get('/v2/companies/birch.example/persons?limit=50')
    expect(body.companies).toEqual([{ domain: 'birch.example', persons: page.persons, total: page.total }])
    expect(page.total).toBeGreaterThan(50)
    await sql`delete from person where company_domain = 'birch.example' and full_name like 'Person %'`.execute(db)
  })

  it('reads persons by email_hash or the full digest', async () => {
    const { body } = await get(`/v2/persons/${JANE}`)
    expect(body).toMatchObject({
      email_hash: JANE,
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

  it('returns persons with the requested groups and provenance', async () => {
    const { body } = await get(`/v2/persons/${JANE}?include=all&include_provenance=true`)
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

  it('returns the provenance of a person without the sources of other people', async () => {
    const read: Record<string, unknown>[] = []
    const db = records.service.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        read.push(...result.rows)
        return result
      },
    })
    const { person_id, provenance } = await readPerson(db, JANE, { groups: new Set(), provenance: true })
    expect(provenance).toHaveProperty('title')
    const sources = read.filter((row) => 'observed_at' in row)
    expect(new Set(sources.map((row) => row['person_id']))).toEqual(new Set([person_id]))
  })

  it('distinguishes persons with colliding email_hash by the full digest', async () => {
    const digests = [`${'ab'.repeat(8)}${'0'.repeat(48)}`, `${'ab'.repeat(8)}${'1'.repeat(48)}`]
    for (const [place, email_digest] of digests.entries()) {
      await records.service.db
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
    await records.service.db.deleteFrom('person').where('email_hash', '=', 'ab'.repeat(8)).execute()
  })

  it('finds persons by name, company, title and seniority with a subset of fields', async () => {
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

describe('a key without the scope contacts', () => {
  const read = async (path: string) => {
    const { client, db } = records.service
    const { key } = await createApiKey(db, client.client_id, { scopes: ['read', 'lists'] })
    return await records.service.call<Json>('GET', path, { key })
  }

  it.each([
    `/v2/persons/${JANE}?include=all&include_provenance=true`,
    '/v2/persons?query=jane&include=contact',
    '/v2/companies/acme.example/persons?include=all',
    '/v2/companies/acme.example?include=all&include_provenance=true',
    `/v2/persons/${JANE}/history`,
  ])('masks addresses and phone numbers in %s for a key without the scope contacts', async (path) => {
    const { db } = records.service
    await db.updateTable('person').set({ phone: '+1 555 0100' }).where('email_hash', '=', JANE).execute()
    await db.updateTable('company').set({ phone: '+1 555 0199' }).where('domain', '=', 'acme.example').execute()
    const open = JSON.stringify((await get(path)).body)
    expect(open).toContain('jane@acme.example')
    const { status, body } = await read(path)
    expect(status).toBe(200)
    const masked = JSON.stringify(body)
    expect(masked).toContain('"***@acme.example"')
    expect(masked).not.toContain('jane@')
    expect(masked).not.toContain('555 0100')
    if (path.startsWith('/v2/companies/acme.example?')) expect(masked).toContain('555 0199')
  })

  it('masks addresses in a batch for a key without the scope contacts', async () => {
    const { client, db } = records.service
    const { key } = await createApiKey(db, client.client_id, { scopes: ['read'] })
    const body = { domains: ['acme.example'], include: 'contact' }
    const masked = JSON.stringify(
      (await records.service.call<Json>('POST', '/v2/persons/batch-read', { key, body })).body,
    )
    expect(masked).toContain('"***@acme.example"')
    expect(masked).not.toContain('jane@')
  })

  it('masks addresses in attributes of a list for a key without the scope contacts, as JSON and as CSV', async () => {
    const entries = [{ domain: 'acme.example', attributes: { owner: 'mia@corp.example' } }]
    await records.service.call('POST', '/v2/clients/me/tal/companies', { body: { entries } })
    for (const path of ['/v2/clients/me/tal/companies', '/v2/clients/me/tal/export']) {
      expect(JSON.stringify((await get(path)).body)).toContain('mia@corp.example')
      expect(JSON.stringify((await read(path)).body)).toContain('***@corp.example')
    }
  })
})

describe('filters of persons', () => {
  it.each([
    ['/v2/persons?department=none', 0],
    ['/v2/persons?company_city=nowhere', 0],
  ])('the person filter %s matches %i', async (path, count) => {
    const { status, body } = await get(path)
    expect(status).toBe(200)
    expect(body.persons).toHaveLength(count)
  })
})

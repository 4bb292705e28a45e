import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompanyMatches, CompanyToMatch } from '../../../src/contract/match.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

const FIRMS = [
  {
    crd_number: 1,
    legal_name: 'QUILLMERE ANCHOR CAPITAL MANAGEMENT, LLC',
    city: 'BOSTON',
    state: 'MA',
    lei: '5493001KJTIIGC8Y1R12',
  },
  {
    crd_number: 2,
    legal_name: 'BRACKENFOLD & BEACON WEALTH ADVISORS INC.',
    city: 'DENVER',
    state: 'CO',
    cik_number: '1234567',
  },
  { crd_number: 3, legal_name: 'OSTERVANE FINANCIAL GROUP, LLC', city: 'AUSTIN', state: 'TX' },
  { crd_number: 4, legal_name: 'OSTERVANE FINANCIAL GROUP, INC.', city: 'PORTLAND', state: 'OR' },
  { crd_number: 5, legal_name: 'THISTLEWICK CAIRN ASSOCIATES, L.P.', city: 'ZÜRICH', country: 'Switzerland' },
  { crd_number: 6, legal_name: 'MARROWDALE INVESTMENT PARTNERS LLC', website_domain: 'marrowdale.example' },
].map((firm) => ({ country: 'United States', sec_number: `801-${firm.crd_number}`, ...firm }))

let service: TestService
beforeAll(async () => {
  service = await startService()
  const earlier = FIRMS.map((firm) =>
    firm.crd_number === 2 ? { ...firm, legal_name: 'PELLUCID JETTY COUNSEL, INC.' } : firm,
  )
  await storeFirms(service.postgres, earlier)
  await storeFirms(service.postgres, FIRMS)
})
afterAll(() => service[Symbol.asyncDispose]())

const match = async (companies: CompanyToMatch[], caller: TestCaller = service) =>
  (await caller.call<CompanyMatches>('POST', '/v2/match/companies', { body: { companies } })).body.matches
const matchOne = async (company: CompanyToMatch, caller?: TestCaller) => (await match([company], caller))[0]

describe('POST /v2/match/companies', () => {
  it.each([
    ['another legal form and case', 'Quillmere Anchor Capital Management', 1],
    ['an abbreviation', 'Quillmere Anchor Cap Mgmt', 1],
    ['another order of words', 'Anchor Capital Management, Quillmere', 1],
    ['a typing error', 'Quilmere Anchor Capital Management LLC', 1],
    ['two letters swapped', 'Quillmere Anchor Captial Management', 1],
    ['a space within a word', 'Quill mere Anchor Capital Management', 1],
    ['"and" instead of "&"', 'Brackenfold and Beacon Wealth Advisers', 2],
    ['a former name', 'Pellucid Jetty Counsel', 2],
    ['accents', 'Thístlewick Caïrn Assoc.', 5],
  ])('matches a company to a firm by a name with %s', async (_, name, expected) => {
    expect(await matchOne({ name })).toMatchObject({
      status: 'matched',
      candidates: [{ crd_number: expected, agreed: ['name'] }],
    })
  })

  it('returns the compared name and the matching fields of a match', async () => {
    const given = { name: 'Pellucid Jetty Counsel', city: 'Denver', state: 'Colorado', country: 'US' }
    const { candidates } = (await matchOne(given)) as NonNullable<Awaited<ReturnType<typeof matchOne>>>
    expect(candidates[0]).toMatchObject({
      crd_number: 2,
      legal_name: 'BRACKENFOLD & BEACON WEALTH ADVISORS INC.',
      matched_name: 'PELLUCID JETTY COUNSEL, INC.',
      agreed: ['name', 'city', 'state', 'country'],
      disagreed: [],
    })
  })

  it('matches one of several namesakes only if a place is given', async () => {
    const both = await matchOne({ name: 'Ostervane Financial Group' })
    expect(both?.status).toBe('doubtful')
    expect(both?.candidates.map(({ crd_number }) => crd_number)).toEqual([3, 4])
    for (const { likelihood } of both?.candidates ?? []) expect(likelihood).toBeLessThanOrEqual(0.5)
    expect(await matchOne({ name: 'Ostervane Financial Group', state: 'Oregon' })).toMatchObject({
      status: 'matched',
      candidates: [{ crd_number: 4, agreed: ['name', 'state'] }],
    })
  })

  it('matches a company by identifier and by domain', async () => {
    const found = await match([
      { lei: '5493001kjtiigc8y1r12', name: 'Quillmere' },
      { cik: '0001234567', name: 'Brackenfold Beacon' },
      { crd_number: 5, name: 'Thistlewick' },
      { domain: 'https://www.marrowdale.example/team', name: 'Marrowdale' },
    ])
    expect(found.map(({ candidates }) => candidates[0]?.crd_number)).toEqual([1, 2, 5, 6])
    expect(found.map(({ candidates }) => candidates[0]?.agreed.find((field) => field !== 'name'))).toEqual([
      'lei',
      'cik',
      'crd_number',
      'domain',
    ])
  })

  it('returns "no match" for other names instead of guessing', async () => {
    const names = [
      'Capital Management',
      'Zyzzyva Works',
      '株式会社ミライ',
      'Financial Group LLC',
      'X',
      '%',
      'Quillmere Shipping',
    ]
    const found = await match(names.map((name) => ({ name })))
    expect(found.map(({ status }) => status)).not.toContain('matched')
    expect(found[1]).toEqual({ status: 'no_match', candidates: [] })
  })

  it('a match does not reveal companies that only another client requested', async () => {
    const owner = await service.addCaller()
    await service.db
      .insertInto('company')
      .values({ domain: 'secret.example', name: 'Whistledown Zenith Robotics' })
      .execute()
    await service.db
      .insertInto('company_viewer')
      .values({ client_id: owner.client.client_id, domain: 'secret.example' })
      .execute()
    const given = { name: 'Whistledown Zenith Robotics', domain: 'secret.example' }
    expect(await matchOne(given, owner)).toMatchObject({
      status: 'matched',
      candidates: [{ domain: 'secret.example' }],
    })
    expect(await matchOne(given)).toEqual({ status: 'no_match', candidates: [] })
  })

  it('refuses to match entries without a name or identifier, invalid domains, and more than 100 entries', async () => {
    const post = (companies: unknown) => service.call('POST', '/v2/match/companies', { body: { companies } })
    expect(await post([{ name: 'Acme' }, { city: 'Boston' }])).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('Company 1'), errors: [{ path: '/companies/1' }] },
    })
    expect(await post([{ domain: '10.0.0.1' }])).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/companies/0/domain' }] },
    })
    expect((await post([])).status).toBe(422)
    expect((await post(Array.from({ length: 101 }, () => ({ name: 'Acme' })))).status).toBe(422)
    expect((await post([{ name: 'Acme', domain: null, lei: null }])).status).toBe(200)
  })

  it('a match costs no units and counts as a read', async () => {
    const before = (await service.call('GET', '/v2/usage')).body
    const { headers } = await service.call('POST', '/v2/match/companies', { body: { companies: [{ name: 'Acme' }] } })
    expect(headers.get('ratelimit-policy')).toContain('read')
    expect((await service.call('GET', '/v2/usage')).body).toEqual(before)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readProvenance } from '../../../src/companies/company-provenance.ts'
import { ensureCompanies } from '../../../src/companies/company-rows.ts'
import { searchCompanies } from '../../../src/companies/search-companies.ts'
import type { Firm } from '../../../src/contract/firm-fields.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import { formAdvProvider } from '../../../src/enrichment/providers/form-adv.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { readCounts } from '../../../src/stats/record-counts.ts'
import { testDatabase } from '../../helpers/database.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

let service: Postgres<ServiceTables>
beforeEach(async () => {
  service = await testDatabase<ServiceTables>('service')
})
afterEach(() => service[Symbol.asyncDispose]())

const firm = (crd_number: number, website_domain: string | null, more: Partial<Firm> = {}): Partial<Firm> => ({
  crd_number,
  sec_number: `801-${crd_number}`,
  legal_name: `FIRM ${crd_number}, LLC`,
  business_name: `FIRM ${crd_number}`,
  city: 'Denver',
  state: 'CO',
  country: 'United States',
  street_1: '1 Main Street',
  employee_count: 12,
  latest_filing_date: '2022-09-30',
  website_domain,
  ...more,
})
const companies = async () =>
  (
    await service.db.selectFrom('company').select(['domain', 'in_formadv', 'crd_number']).orderBy('domain').execute()
  ).map(({ domain, in_formadv, crd_number }) => [domain, in_formadv, crd_number])
const ask = (domain: string) =>
  formAdvProvider(service.db).find({
    domain,
    known: {},
    groups: new Set(['company'] as const),
    maxPeople: 10,
    maxArticles: 10,
    clock: systemClock,
    signal: new AbortController().signal,
    log: silentLog,
  })

describe('companies named in a Form ADV', () => {
  it('the import creates companies named in a Form ADV, and clears their Form ADV flag when the firm is gone', async () => {
    await ensureCompanies(service.db, ['a.example', 'other.example'])
    await storeFirms(service, [
      firm(1, 'a.example'),
      firm(2, 'b.example'),
      firm(3, 's.example'),
      firm(4, 's.example'),
      firm(5, null),
    ])
    expect(await companies()).toEqual([
      ['a.example', true, 1],
      ['b.example', true, 2],
      ['other.example', false, null],
      ['s.example', true, null],
    ])
    expect((await readCounts(service.db)).companies).toEqual({ total: 3, enriched: 0, from_formadv: 3 })
    await storeFirms(service, [firm(1, 'a.example', { latest_filing_date: '2022-12-30' }), firm(3, 's.example')])
    expect(await companies()).toEqual([
      ['a.example', true, 1],
      ['b.example', false, null],
      ['other.example', false, null],
      ['s.example', true, 3],
    ])
    expect((await readCounts(service.db)).companies).toEqual({ total: 3, enriched: 0, from_formadv: 2 })
    const events = await service.db
      .selectFrom('history_event')
      .select(['domain', 'field', 'old_value', 'new_value'])
      .where('domain', '=', 'b.example')
      .where('field', 'in', ['in_formadv', 'crd_number'])
      .orderBy('changed_at')
      .execute()
    expect(events.map(({ field, old_value, new_value }) => [field, old_value, new_value])).toEqual([
      ['in_formadv', false, true],
      ['crd_number', null, 2],
      ['in_formadv', true, false],
      ['crd_number', 2, null],
    ])
  })

  it('flags companies named in a Form ADV that are created after the import', async () => {
    await storeFirms(service, [firm(1, 'a.example')])
    await service.db.deleteFrom('company').execute()
    await ensureCompanies(service.db, ['a.example', 'b.example'])
    expect(await companies()).toEqual([
      ['a.example', true, 1],
      ['b.example', false, null],
    ])
  })
})

describe('registry fields', () => {
  it('registry fields make a company searchable by state and exact legal name, with provenance', async () => {
    await storeFirms(service, [firm(1, 'a.example'), firm(2, 'b.example', { state: 'WA' })])
    const search = (query: object) => searchCompanies(service.db, 'someone', { limit: 50, offset: 0, ...query })
    expect((await search({ state: 'WA', in_formadv: true })).companies.map(({ domain }) => domain)).toEqual([
      'b.example',
    ])
    expect((await search({ query: 'FIRM 1, LLC' })).companies[0]).toMatchObject({
      domain: 'a.example',
      name: 'FIRM 1',
      headquarters_city: 'Denver',
    })
    expect(await readProvenance(service.db, 'a.example')).toMatchObject({ legal_name: { source: 'form-adv' } })
  })

  it('registry fields follow the roster, or other sources when the firm is gone', async () => {
    await storeFirms(service, [firm(1, 'a.example'), firm(2, 'b.example')])
    await storeFirms(service, [firm(1, 'a.example', { city: 'Boulder', latest_filing_date: '2022-12-30' })])
    const { companies } = await searchCompanies(service.db, 'someone', { limit: 50, offset: 0 })
    expect(companies.map(({ domain, headquarters_city }) => [domain, headquarters_city])).toEqual([
      ['a.example', 'Boulder'],
      ['b.example', null],
    ])
    const events = await service.db
      .selectFrom('history_event')
      .select(['domain', 'kind', 'new_value'])
      .where('field', '=', 'headquarters_city')
      .orderBy('domain')
      .orderBy('changed_at')
      .execute()
    expect(events.map(({ domain, kind, new_value }) => [domain, kind, new_value])).toEqual([
      ['a.example', 'created', 'Denver'],
      ['a.example', 'updated', 'Boulder'],
      ['b.example', 'created', 'Denver'],
      ['b.example', 'removed', null],
    ])
  })
})

describe('the Form ADV provider', () => {
  it("the Form ADV provider returns the filing of the only firm with a domain, with the filing's date", async () => {
    await storeFirms(service, [firm(1, 'a.example', { phone: '303-555-0100', street_2: 'Suite 9' })])
    const { status, observations } = await ask('a.example')
    expect(status).toBe('found')
    expect(Object.fromEntries(observations.map(({ field, value }) => [field, value]))).toEqual({
      name: 'FIRM 1',
      legal_name: 'FIRM 1, LLC',
      industry: 'Investment Advice',
      naics_code: '523940',
      naics_title: 'Portfolio Management and Investment Advice',
      employee_count: 12,
      employee_range: '11-50',
      headquarters_street: '1 Main Street, Suite 9',
      headquarters_city: 'Denver',
      headquarters_state: 'CO',
      headquarters_country: 'United States',
      phone: '303-555-0100',
    })
    expect(observations[0]).toMatchObject({
      source: 'form-adv',
      method: 'roster',
      observed_at: '2022-09-30T00:00:00.000000Z',
      url: 'https://adviserinfo.sec.gov/firm/summary/1',
    })
  })

  it('the Form ADV provider returns only values on which firms with a shared site agree, with less confidence', async () => {
    await storeFirms(service, [firm(1, 's.example'), firm(2, 's.example', { city: 'Boulder', employee_count: 12 })])
    const { status, reason, observations } = await ask('s.example')
    expect([status, reason]).toEqual(['found', '2 firms share this domain'])
    expect(observations.map(({ field }) => field)).toEqual([
      'industry',
      'naics_code',
      'naics_title',
      'headquarters_state',
      'headquarters_country',
    ])
    expect(observations.every(({ confidence }) => confidence === 0.6)).toBe(true)
  })

  it('the Form ADV provider returns not_found for a domain without a firm', async () => {
    await storeFirms(service, [firm(1, 'a.example')])
    expect(await ask('b.example')).toMatchObject({ status: 'not_found', observations: [] })
  })
})

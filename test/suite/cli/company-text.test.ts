import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { companyText } from '../../../src/cli/support/company-text.ts'
import type { Company } from '../../../src/contract/companies.ts'
import { COMPANY_FIELDS } from '../../../src/contract/companies.ts'
import type { HistoryEvent } from '../../../src/contract/history.ts'

const now = new Date('2026-11-21T12:00:00Z')
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString().replace('Z', '000Z')
const nothing = Object.fromEntries(COMPANY_FIELDS.map((field) => [field, null]))
const site = { source: 'website', url: 'https://acme.example/', method: 'json-ld', observed_at: daysAgo(0) }
const filed = { source: 'form-adv', url: null, method: 'roster', observed_at: daysAgo(90) }

const acme = {
  ...nothing,
  domain: 'acme.example',
  name: 'Acme Invented Capital',
  description: 'Acme Invented Capital manages portfolios for families, foundations and pension funds by the sea.',
  phone: '+16175550123',
  in_formadv: true,
  enrichment_status: 'partial',
  status_reason: 'not found: signals; website: no news was found',
  enriched_at: daysAgo(0),
  leadership_enriched_at: daysAgo(12),
  signals_enriched_at: null,
  retry_at: null,
  history_at: null,
  updated_at: daysAgo(0),
  formadv: { firm_count: 1, crd_numbers: [99], aum_total_usd: 2_500_000_000 },
  leadership: [
    { full_name: '架空 花子', title: 'Partner', email: null, email_status: null, email_confidence: null },
    {
      full_name: 'Jane Roe-Invented',
      title: 'Chief Executive Officer and Chair of the Board',
      email: 'jane.roe-invented@acme.example',
      email_status: 'derived',
      email_confidence: 0.87,
    },
  ],
  signals: [{ date: '2026-10-01', type: 'Expansion', headline: 'Acme opens an office', confidence: 0.91 }],
  provenance: {
    name: { ...site, confidence: 0.98, alternatives: [{ ...filed, confidence: 0.8, value: 'ACME INVENTED CAPITAL' }] },
    description: { ...site, confidence: 0.9, alternatives: [] },
    phone: { ...filed, confidence: 0.95, alternatives: [{ ...site, confidence: 0.5, value: '+16175550199' }] },
  },
  sources: [
    { source: 'website', groups: ['company'], status: 'found', reason: null, asked_at: daysAgo(0), failures: 0 },
    {
      source: 'wikidata',
      groups: ['company'],
      status: 'unavailable',
      reason: 'the site responded with 503',
      asked_at: daysAgo(1),
      failures: 2,
    },
  ],
} as unknown as Company

const event = (field: string, old_value: unknown, new_value: unknown, days: number): HistoryEvent =>
  ({ field, old_value, new_value, changed_at: daysAgo(days), source: 'website' }) as HistoryEvent
const events = [
  event('phone', '+16175550100', '+16175550123', 0),
  event('name', null, 'Acme Invented Capital', 40),
  event('description', null, 'Acme', 40),
]

describe('companyText', () => {
  it('prints fields with confidence and source, missing fields, leadership, signals, providers and changes', () => {
    expect(companyText(acme, events, { now, width: 80 })).toMatchInlineSnapshot(`
      "Acme Invented Capital (acme.example)
      partial; enriched: company today, leadership 12 days ago, signals never
      not found: signals; website: no news was found
      Form ADV: CRD 99, $2.5B under management

      Fields
        name         98%  [1]  Acme Invented Capital
        description  90%  [1]  Acme Invented Capital manages portfolios for families,
                               foundations and pension funds by the sea.
        phone        95%  [2]  +16175550123
                               (website: +16175550199)

      Sources
        [1]  website (json-ld), today: https://acme.example/
        [2]  form-adv (roster), 3 months ago

      Missing: legal name, industry, naics code, naics title, employee count, employee
      range, office, social url, logo url, founded year

      Leadership
        架空 花子          Partner
        Jane Roe-Invented  Chief Executive Officer and Chair of the Board;
                           jane.roe-invented@acme.example (derived, 87%)

      Signals
        2026-10-01  Expansion  91%  Acme opens an office

      Providers
        website   today      found
        wikidata  yesterday  unavailable: the site responded with 503

      Changes
        today        phone: +16175550100 -> +16175550123 (website)
        40 days ago  first values from website: name, description"
    `)
  })

  it('combines office fields only if they have the same source and confidence', () => {
    const office = { headquarters_street: '1 Invented Way', headquarters_city: 'Denver', headquarters_state: 'CO' }
    const said = { ...site, confidence: 0.75, alternatives: [] }
    const provenance = { headquarters_street: said, headquarters_city: said, headquarters_state: said }
    const lineOf = (over: object) =>
      companyText({ ...acme, ...office, provenance: { ...provenance, ...over } } as Company, [], { now, width: 80 })
    expect(lineOf({})).toMatch(/^ {2}office +75% +\[\d\] +1 Invented Way, Denver, CO$/m)
    expect(lineOf({ headquarters_state: { ...said, confidence: 0.6 } })).toMatch(/^ {2}office state +60% +\[\d\] +CO$/m)
    const unlike = { ...said, alternatives: [{ ...filed, confidence: 0.5, value: 'Boulder' }] }
    expect(lineOf({ headquarters_city: unlike })).toContain('(form-adv: Boulder)')
  })

  it.each([60, 80, 120, 200])('fits the text of a company into %i columns', (width) => {
    const lines = companyText(acme, events, { now, width }).split('\n')
    expect(lines.filter((line) => stringWidth(line) > width)).toEqual([])
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
  })

  it('prints a short text for a company without data', () => {
    const unknown = {
      ...nothing,
      domain: 'acme.example',
      enrichment_status: 'failed',
      status_reason: 'website: robots.txt responded with 503',
      enriched_at: null,
      leadership_enriched_at: null,
      signals_enriched_at: null,
      retry_at: '2026-11-21T13:00:00.000000Z',
    } as unknown as Company
    expect(companyText(unknown, [], { now, width: 80 })).toMatchInlineSnapshot(`
      "acme.example
      failed; enriched: company never, leadership never, signals never
      website: robots.txt responded with 503
      retry after 2026-11-21 13:00 UTC

      Missing: name, legal name, description, industry, naics code, naics title,
      employee count, employee range, office, phone, social url, logo url, founded
      year"
    `)
  })
})

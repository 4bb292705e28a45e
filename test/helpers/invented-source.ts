import type { CompanyFields, Evidence, Findings, Provider } from '../../src/findings/provider.ts'
import { isoMicros } from '../../src/lib/timestamps.ts'

const PEOPLE = 3
const TITLES = ['Chief Executive Officer', 'Chief Financial Officer', 'Managing Director']

/**
 * A provider without I/O, for benchmarks of the other components. Derives fields, three people and one story from the
 * domain.
 */
export const inventedSource: Provider = {
  name: 'website',
  groups: new Set(['company', 'leadership', 'signals']),
  recheckAfterDays: 30,
  async find({ domain, groups, clock }): Promise<Findings> {
    const evidence: Evidence = {
      source: 'website',
      url: `https://${domain}/`,
      observed_at: isoMicros(clock.now()),
      method: 'page',
      confidence: 0.9,
    }
    const name = domain.split('.')[0] as string
    const fields: Partial<CompanyFields> = {
      name,
      industry: 'Investment Advice',
      headquarters_city: 'Springfield',
      headquarters_country: 'United States',
      employee_range: '11-50',
    }
    const people = Array.from({ length: PEOPLE }, (_, place) => ({
      ...evidence,
      full_name: `${TITLES[place]?.split(' ')[0]} ${name}`,
      first_name: TITLES[place]?.split(' ')[0] ?? null,
      last_name: name,
      title: TITLES[place] ?? null,
      seniority: 'executive' as const,
      department: null,
      email: `person${place}@${domain}`,
      email_status: 'published' as const,
      email_confidence: 0.95,
      phone: null,
      social_url: null,
    }))
    return {
      status: 'found',
      reason: null,
      observations: Object.entries(fields).map(
        ([field, value]) => ({ ...evidence, field, value }) as Findings['observations'][number],
      ),
      people: groups.has('leadership') ? people : [],
      signals: groups.has('signals')
        ? [
            {
              ...evidence,
              type: 'Award',
              headline: `${name} wins an award`,
              date: '2026-11-01',
              about: "the page is the company's own",
            },
          ]
        : [],
    }
  },
}

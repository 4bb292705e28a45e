import type { SampleCompany } from './companies.ts'
import type { SamplePerson } from './people.ts'
import { saysInWords } from './site/build-site.ts'
import { storyPath } from './site/feeds.ts'
import type { SitePlan } from './site/plan.ts'
import type { SampleStory } from './stories.ts'

/** The facts on a demo site, used to score an enrichment. */
export interface PlantedFacts {
  domain: string
  layout: string
  markup: string
  quirk: string
  /** The expected result for a crawler that obeys robots.txt. */
  status: 'found' | 'refused' | 'unavailable'
  /** Company fields on the site's pages, keyed by API name. */
  fields: Record<string, string | number>
  people: SamplePerson[]
  stories: (SampleStory & { url: string })[]
}

const STATUS: Partial<Record<SitePlan['quirk'], PlantedFacts['status']>> = {
  'robots refusal': 'refused',
  'broken certificate': 'refused',
  down: 'unavailable',
}

/**
 * Lists the facts on a site. Fields missing from this list are not on the site's pages, so extracting such a field is
 * an error.
 */
export function plantedFacts(company: SampleCompany, plan: SitePlan): PlantedFacts {
  const status = STATUS[plan.quirk] ?? 'found'
  const base = {
    domain: company.domain,
    layout: plan.layout.name,
    markup: plan.markup,
    quirk: plan.quirk,
    status,
  } as const
  if (status !== 'found') return { ...base, fields: {}, people: [], stories: [] }
  const { headquarters: place } = company
  const structured = plan.markup.includes('json-ld')
  const words = saysInWords(plan)
  const told = (isTold: boolean, facts: Record<string, string | number | null>): Record<string, string | number> =>
    isTold
      ? (Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as Record<
          string,
          string | number
        >)
      : {}
  return {
    ...base,
    fields: {
      name: company.name,
      legal_name: company.legal_name,
      description: company.description,
      ...told(structured || words, { industry: company.industry }),
      employee_count: company.employee_count,
      founded_year: company.founded_year,
      headquarters_street: place.street,
      headquarters_city: place.city,
      ...told(true, { headquarters_state: place.state, phone: company.phone }),
      headquarters_postal_code: place.postal_code,
      headquarters_country: place.country,
      ...told(plan.markup !== 'h-card' || words, { social_url: company.social_url }),
    },
    people: plan.quirk === 'partly refused' ? [] : company.people,
    stories: company.stories.map((story, index) => ({
      ...story,
      url: `https://${company.domain}${storyPath(story.headline, index)}`,
    })),
  }
}

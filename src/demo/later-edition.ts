import type { SampleCompany } from './companies.ts'
import type { SamplePerson } from './people.ts'

/** The changes between the first and the later edition of the demo web. */
export interface DemoChanges {
  hired: { domain: string; person: SamplePerson }
  moved: { from: string; to: string; person: SamplePerson; title: string }
  promoted: { domain: string; person: SamplePerson; title: string }
  /** A company whose headquarters moved to the city of another company. */
  relocated: { domain: string; from: string; to: string }
}

/**
 * Returns the companies of the later edition: a company has hired a chief financial officer, a person has moved to
 * another company, a title has changed, and a headquarters has moved. Returns undefined if too few companies have sites
 * without quirks.
 */
export function laterEdition(
  companies: readonly SampleCompany[],
  today: Date,
): { companies: SampleCompany[]; changes: DemoChanges } | undefined {
  // Sites at even indexes have no quirks.
  const plain = companies.filter(({ place, people }) => place % 2 === 0 && people.length > 3)
  const left = plain.find(({ people }) => people.slice(1).some(isLinked))
  const mover = left?.people.slice(1).find(isLinked)
  // An adviser's filings would contradict a new headquarters.
  const relocated = plain.find((company) => company !== left && !company.is_adviser)
  const place = plain.find(
    ({ headquarters: { city, country } }) =>
      country === relocated?.headquarters.country && city !== relocated.headquarters.city,
  )
  const [hiring, joined, promoting] = plain.filter((company) => company !== left && company !== relocated)
  const promoted = promoting?.people[1]
  if (!left || !mover || !relocated || !place || !hiring || !joined || !promoting || !promoted) return undefined

  const officer = { full_name: 'Petra Wintergreen', title: 'Chief Financial Officer', email: null, social_url: null }
  const headline = `${hiring.name} appoints ${officer.full_name} as Chief Financial Officer`
  const date = today.toISOString().slice(0, 10)
  const title = 'Senior Managing Director'
  const changed = new Map<SampleCompany, Partial<SampleCompany>>([
    [
      hiring,
      {
        people: [...hiring.people, officer],
        stories: [{ type: 'Leadership Change', headline, date }, ...hiring.stories],
      },
    ],
    [left, { people: left.people.filter((person) => person !== mover) }],
    [joined, { people: [...joined.people, { ...mover, title: 'Treasurer', email: null }] }],
    [promoting, { people: promoting.people.map((person) => (person === promoted ? { ...person, title } : person)) }],
    [relocated, { headquarters: place.headquarters }],
  ])
  return {
    companies: companies.map((company) => ({ ...company, ...changed.get(company) })),
    changes: {
      hired: { domain: hiring.domain, person: officer },
      moved: { from: left.domain, to: joined.domain, person: mover, title: 'Treasurer' },
      promoted: { domain: promoting.domain, person: promoted, title },
      relocated: { domain: relocated.domain, from: relocated.headquarters.city, to: place.headquarters.city },
    },
  }
}

const isLinked = ({ social_url, full_name }: SamplePerson): boolean =>
  social_url !== null && /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(full_name)

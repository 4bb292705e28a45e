import type { SamplePerson } from './people.ts'
import { generatePeople, slugOf } from './people.ts'
import type { SamplePlace } from './places.ts'
import { generatePlace } from './places.ts'
import type { SeededRandom } from './seeded-random.ts'
import { seededRandom } from './seeded-random.ts'
import type { SampleStory } from './stories.ts'
import { generateStories } from './stories.ts'

/**
 * An invented company with facts for its website. The demo web and the sample roster are generated from these
 * companies.
 */
export interface SampleCompany {
  /** Index in the list. A seed and an index always produce the same company. */
  place: number
  domain: string
  name: string
  legal_name: string
  description: string
  industry: string
  /** True for advisers, which are on the sample roster. */
  is_adviser: boolean
  employee_count: number
  founded_year: number
  headquarters: SamplePlace
  /** Phone number in E.164 format; null in countries without numbers reserved for fiction. */
  phone: string | null
  social_url: string
  people: SamplePerson[]
  stories: SampleStory[]
}

const FIRST =
  'Quillmere Brackenfold Ostervane Thistlewick Marrowdale Pellucid Fernhollow Gimbalton Hazelnook Inglewisp Juniperry Kestrelmoor Lumenfall Mossgate Nettlebrook Orrery Pondwater Quartzley Rushlight Sedgewine Tamarack Umberlea Vellumbridge Whistledown Yewthorn Zinnober Amberjack Bellwether Cobblestow Dapplewood Elderquay Foxtrotter Glimmerstone Harrowgate Ivorytusk Jackdaw'.split(
    ' ',
  )
const SECOND =
  'Anchor Beacon Cairn Delta Ember Fathom Gable Harbor Isthmus Jetty Keystone Lantern Meridian Northgate Orchard Pinnacle Quarry Ridge Summit Trellis Upland Viaduct Wharf Zenith'.split(
    ' ',
  )

interface Trade {
  industry: string
  suffixes: string[]
  isAdviser: boolean
  does: string
}

const TRADES: readonly Trade[] = [
  {
    industry: 'Investment Management',
    suffixes: ['Capital', 'Asset Management', 'Investments'],
    isAdviser: true,
    does: 'manages portfolios for families, foundations and pension funds',
  },
  {
    industry: 'Wealth Management',
    suffixes: ['Wealth', 'Advisors', 'Financial'],
    isAdviser: true,
    does: 'plans and invests for families and the businesses they own',
  },
  {
    industry: 'Private Equity',
    suffixes: ['Partners', 'Equity Partners'],
    isAdviser: true,
    does: 'backs owner-led companies with patient capital',
  },
  {
    industry: 'Software',
    suffixes: ['Software', 'Systems', 'Labs'],
    isAdviser: false,
    does: 'makes software that keeps small workshops running',
  },
  {
    industry: 'Insurance',
    suffixes: ['Insurance', 'Mutual'],
    isAdviser: false,
    does: 'insures lighthouses, ferries and other things by the sea',
  },
  {
    industry: 'Logistics',
    suffixes: ['Logistics', 'Freight'],
    isAdviser: false,
    does: 'carries awkward cargo to places without roads',
  },
]

/**
 * Generates the first `count` companies for a seed, with domains under the reserved `.example`. News dates are relative
 * to `today`. Pass a fixed date for stable output.
 */
export function generateCompanies(seed: number, count: number, today: Date = new Date()): SampleCompany[] {
  const names = seededRandom(seed, 'names')
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, place) => {
    const { name, trade } = generateName(names, taken)
    return generateCompany(seededRandom(seed, `company ${place}`), place, name, trade, today)
  })
}

function generateName(random: SeededRandom, taken: Set<string>): { name: string; trade: Trade } {
  // Two in three companies are advisers, so that most companies are on the sample roster.
  const trade = random.pick(random.chance(0.5) ? TRADES.slice(0, 3) : TRADES)
  for (let attempt = 0; ; attempt++) {
    const middle = attempt > 0 || random.chance(0.5) ? ` ${random.pick(SECOND)}` : ''
    const more = attempt > 20 ? ` ${random.between(2, 9999)}` : ''
    const name = `${random.pick(FIRST)}${middle}${more} ${random.pick(trade.suffixes)}`
    if (taken.has(name)) continue
    taken.add(name)
    return { name, trade }
  }
}

function generateCompany(random: SeededRandom, place: number, name: string, trade: Trade, today: Date): SampleCompany {
  const domain = `${slugOf(name)}.example`
  const { place: headquarters, phone } = generatePlace(random)
  const people = generatePeople(random, domain, random.between(3, 12))
  return {
    place,
    domain,
    name,
    legal_name: `${name}${legalForm(random, headquarters.country_code)}`,
    description: `${name} ${trade.does}.`,
    industry: trade.industry,
    is_adviser: trade.isAdviser,
    employee_count: Math.max(people.length, Math.round(Math.exp(random.between(15, 65) / 10))),
    founded_year: random.between(1921, 2021),
    headquarters,
    phone,
    social_url: `https://www.linkedin.com/company/${slugOf(name)}-invented`,
    people,
    stories: generateStories(random, name, people.at(-1)?.full_name ?? 'A. N. Other', today, random.between(0, 9)),
  }
}

const LEGAL_FORMS: Record<string, string[]> = {
  US: [', LLC', ', Inc.', ' LP', ', L.L.C.'],
  CA: [' Inc.', ' Ltd.'],
  GB: [' Limited', ' LLP', ' Ltd'],
  DE: [' GmbH', ' AG'],
  CH: [' AG', ' SA'],
  FR: [' SAS', ' SA'],
  AU: [' Pty Ltd'],
}

const legalForm = (random: SeededRandom, country: string): string => random.pick(LEGAL_FORMS[country] ?? [' Ltd'])

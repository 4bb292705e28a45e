import type { Dice } from './dice.ts'
import { rollDice } from './dice.ts'
import type { InventedPerson } from './people.ts'
import { inventPeople, slugOf } from './people.ts'
import type { InventedPlace } from './places.ts'
import { inventPlace } from './places.ts'
import type { InventedStory } from './stories.ts'
import { inventStories } from './stories.ts'

/** A company that does not exist, with all that its website may tell. The demo web and the sample roster are made from it. */
export interface InventedCompany {
  /** Its place in the list, from 0: the same company has the same place for one seed, however long the list. */
  place: number
  domain: string
  name: string
  legal_name: string
  description: string
  industry: string
  /** An adviser stands on the sample roster too. */
  is_adviser: boolean
  employee_count: number
  founded_year: number
  headquarters: InventedPlace
  /** E.164; null where no number is kept for fiction. */
  phone: string | null
  social_url: string
  people: InventedPerson[]
  stories: InventedStory[]
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
 * The first `count` invented companies of a seed. All on `.example` domains, which can never be anybody's. `today` dates their
 * news: give it for the same dates on every day.
 */
export function inventCompanies(seed: number, count: number, today: Date = new Date()): InventedCompany[] {
  const names = rollDice(seed, 'names')
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, place) => {
    const { name, trade } = inventName(names, taken)
    return inventCompany(rollDice(seed, `company ${place}`), place, name, trade, today)
  })
}

function inventName(dice: Dice, taken: Set<string>): { name: string; trade: Trade } {
  // Two in three are advisers, so that the roster and the web have most companies in common.
  const trade = dice.pick(dice.chance(0.5) ? TRADES.slice(0, 3) : TRADES)
  for (let attempt = 0; ; attempt++) {
    const middle = attempt > 0 || dice.chance(0.5) ? ` ${dice.pick(SECOND)}` : ''
    const more = attempt > 20 ? ` ${dice.between(2, 9999)}` : ''
    const name = `${dice.pick(FIRST)}${middle}${more} ${dice.pick(trade.suffixes)}`
    if (taken.has(name)) continue
    taken.add(name)
    return { name, trade }
  }
}

function inventCompany(dice: Dice, place: number, name: string, trade: Trade, today: Date): InventedCompany {
  const domain = `${slugOf(name)}.example`
  const { place: headquarters, phone } = inventPlace(dice)
  const people = inventPeople(dice, domain, dice.between(3, 12))
  return {
    place,
    domain,
    name,
    legal_name: `${name}${legalForm(dice, headquarters.country_code)}`,
    description: `${name} ${trade.does}.`,
    industry: trade.industry,
    is_adviser: trade.isAdviser,
    employee_count: Math.max(people.length, Math.round(Math.exp(dice.between(15, 65) / 10))),
    founded_year: dice.between(1921, 2021),
    headquarters,
    phone,
    social_url: `https://www.linkedin.com/company/${slugOf(name)}-invented`,
    people,
    stories: inventStories(dice, name, people.at(-1)?.full_name ?? 'A. N. Other', today, dice.between(0, 9)),
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

const legalForm = (dice: Dice, country: string): string => dice.pick(LEGAL_FORMS[country] ?? [' Ltd'])

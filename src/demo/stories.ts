import type { SeededRandom } from './seeded-random.ts'

/** Signal type of a story, as in the API, or `none`. */
export type StoryType = keyof typeof HEADLINES

/** A story in the newsroom of a demo company. */
export interface SampleStory {
  type: StoryType
  headline: string
  /** YYYY-MM-DD. */
  date: string
}

const HEADLINES = {
  Funding: [
    '{name} raises {usd} million in Series B round led by {other}',
    '{name} closes {n} million dollar growth equity investment',
    '{name} secures {usd}M credit facility to fund further growth',
    '{name} announces final close of its third fund at {usd} million',
  ],
  Expansion: [
    '{name} opens new office in {city}',
    '{name} expands into {city} with second location',
    '{name} moves to larger headquarters in {city}',
    '{name} enters the Nordic market',
  ],
  'Leadership Change': [
    '{name} appoints {person} as Chief Operating Officer',
    '{person} named Chief Executive of {name}',
    '{name} names {person} to its board of directors',
    '{person} steps down as President of {name}',
  ],
  'Product Launch': [
    '{name} launches {product} for independent advisers',
    'Introducing {product}: {name} unveils new client portal',
    '{name} releases {product}, now available to all customers',
    '{name} announces general availability of {product}',
  ],
  Partnership: [
    '{name} and {other} announce strategic partnership',
    '{name} partners with {other} to reach more clients',
    '{name} teams up with {other} on joint distribution agreement',
    '{name} enters into alliance with {other}',
  ],
  Acquisition: [
    '{name} acquires {other}',
    '{name} completes acquisition of {other}',
    '{name} to merge with {other}',
    '{name} agrees to buy {other} for {usd} million',
  ],
  Hiring: [
    '{name} to hire {n} people over the coming year',
    '{name} adds {n} new team members as headcount grows',
    'We are hiring: {name} seeks {n} engineers and analysts',
    '{name} welcomes largest class of graduate trainees',
  ],
  Award: [
    '{name} named among the Best Places to Work',
    '{name} wins Adviser of the Year award',
    '{name} recognized as one of the fastest-growing firms',
    '{person} of {name} receives industry lifetime achievement award',
  ],
  Regulatory: [
    '{name} receives SEC approval as registered investment adviser',
    '{name} settles with regulator over disclosure charges',
    '{name} granted banking license by state regulator',
    'Regulator fines {name} {usd},000 over record keeping',
  ],
  Technology: [
    '{name} migrates core systems to the cloud',
    '{name} adopts {product} platform for portfolio reporting',
    '{name} granted patent for risk modelling method',
    '{name} selects {other} as its technology provider',
  ],
  none: [
    'Five questions to ask before you retire',
    'Market commentary: what the third quarter taught us',
    'Webinar recording: planning for uncertain times',
    'Our office is closed for the holidays',
    'In memory of our colleague',
    'Why we sponsor the town marathon',
  ],
} as const satisfies Record<string, readonly string[]>

const PRODUCTS = ['Lanternview', 'Compasskit', 'Inkwell One', 'Paperboat', 'Turnstile 2.0']
const OTHERS = ['Gallowglass Partners', 'Moorhen Systems', 'Pettifog & Sons', 'Sundial Analytics', 'Tumbledown Group']
const CITIES = ['Raleigh', 'Dublin', 'Phoenix', 'Nashville', 'Rotterdam', 'Singapore']
const TYPES = Object.keys(HEADLINES) as StoryType[]

/** Generates a company's stories in the year before `today`, newest first. */
export function generateStories(
  random: SeededRandom,
  name: string,
  person: string,
  today: Date,
  count: number,
): SampleStory[] {
  const days = random
    .sample(
      Array.from({ length: 360 }, (_, day) => day + 1),
      count,
    )
    .toSorted((a, b) => a - b)
  const types = random.sample([...TYPES, 'none', 'none'], count)
  return days.map((day, place) => {
    const type = types[place % types.length] as StoryType
    const number = String(random.between(5, 95))
    const headline = random
      .pick<string>(HEADLINES[type])
      .replaceAll('{name}', name)
      .replaceAll('{person}', person)
      .replaceAll('{other}', random.pick(OTHERS))
      .replaceAll('{city}', random.pick(CITIES))
      .replaceAll('{product}', random.pick(PRODUCTS))
      .replaceAll('{usd}', `$${number}`)
      .replaceAll('{n}', number)
    return { type, headline, date: new Date(today.getTime() - day * 86_400_000).toISOString().slice(0, 10) }
  })
}

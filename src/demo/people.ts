import type { SeededRandom } from './seeded-random.ts'

/** An invented person. */
export interface SamplePerson {
  full_name: string
  title: string
  /** Email address published on the website, or null. */
  email: string | null
  /** Profile URL linked on the website, or null. */
  social_url: string | null
}

const FIRST =
  'Ada Bruno Celia Dorian Edda Felix Greta Hugo Imogen Jonas Kira Linus Mabel Nestor Odile Piers Quentin Rosa Silas Thea Ulric Vera Wendell Xenia Yorick Zelda Anselm Beatrix Caspian Delphine Ezra Flora'.split(
    ' ',
  )
const LAST =
  'Applewhistle Bramblecroft Candlewright Dovetailer Emberlane Fennimoor Gossamere Hollowbrook Inkpenn Jasperling Kettleworth Larkspurr Moonfleet Nightjarre Oakenshaw Pennyfarthing Quillfeather Ravenglass Saltmarshe Thimblewood Underhillock Vellumson Wisterley Yarrowgate Zephyrine Brassbuttons Cloudberry Driftwoode Featherstitch Gingerbrook'.split(
    ' ',
  )

/** Names with accents, particles, apostrophes, hyphens and non-Latin scripts. */
const WORLDLY = [
  'Zoë Ångströmberg',
  'Renée d’Aubépine-Fictive',
  'José María de la Invención',
  'Łucja Wymyślińska',
  'Bjørn Påfunnsen',
  'Siobhán O’Fabulous',
  'Jürgen von der Erfindung',
  'Çağla Uydurukoğlu',
  'Иван Выдуманный',
  'Ольга Небывалова',
  'Νίκη Φανταστίδου',
  '虚构明',
  '架空 花子',
  'ليلى الخيالية',
  'Mary-Jane van der Fabel',
  'Dr. Otto Nichtda, CFA',
  'Pat McMadeup Jr.',
  'J. R. Storyteller III',
]

const CHIEFS = [
  'Chief Executive Officer',
  'CEO',
  'Founder and CEO',
  'Managing Partner',
  'President',
  'Co-Founder & Managing Director',
]
const OTHERS = [
  'Chief Financial Officer',
  'CFO',
  'Chief Operating Officer',
  'COO',
  'Chief Technology Officer',
  'CTO',
  'Chief Compliance Officer',
  'General Counsel',
  'Chief Investment Officer',
  'Partner',
  'Principal',
  'Vice President, Sales',
  'VP of Engineering',
  'Director of Operations',
  'Director of Marketing',
  'Head of People',
  'Head of Research',
  'Senior Portfolio Manager',
  'Portfolio Manager',
  'Investment Analyst',
  'Client Services Manager',
  'Marketing Manager',
  'Office Manager',
  'Senior Associate',
  'Associate',
  'Controller',
  'Software Engineer',
  'Director, Investor Relations',
]

/**
 * Generates a company's people, including its head. All email addresses that a company publishes follow one pattern.
 */
export function generatePeople(random: SeededRandom, domain: string, count: number): SamplePerson[] {
  const names = new Set<string>()
  while (names.size < count)
    names.add(random.chance(0.12) ? random.pick(WORLDLY) : `${random.pick(FIRST)} ${random.pick(LAST)}`)
  const titles = [random.pick(CHIEFS), ...random.sample(OTHERS, count - 1)]
  const prints = random.chance(0.5)
  const pattern = random.pick(['first.last', 'flast', 'first'] as const)
  const links = random.chance(0.4)
  const taken = new Set<string>()
  return [...names].map((full_name, place) => ({
    full_name,
    title: titles[place] as string,
    email: prints && random.chance(0.7) ? ownMailbox(full_name, pattern, domain, taken) : null,
    social_url:
      links && random.chance(0.8)
        ? `https://www.linkedin.com/in/${slugOf(full_name) || `member-${place + 1}`}-invented`
        : null,
  }))
}

type Pattern = 'first.last' | 'flast' | 'first'

/** Returns the person's email address; null if another person already has that address. */
function ownMailbox(fullName: string, pattern: Pattern, domain: string, taken: Set<string>): string | null {
  const address = mailbox(fullName, pattern, domain)
  if (address === null || taken.has(address)) return null
  taken.add(address)
  return address
}

function mailbox(fullName: string, pattern: Pattern, domain: string): string | null {
  const parts = fullName
    .replace(/^Dr\. |, CFA$| Jr\.$| III$/g, '')
    .split(/\s+/)
    .map(slugOf)
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last || parts.length !== 2) return null
  const local = { 'first.last': `${first}.${last}`, flast: `${first[0]}${last}`, first }[pattern]
  return `${local}@${domain}`
}

/** Converts a text to lower-case ASCII letters and hyphens; empty for non-Latin scripts. */
export function slugOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/[’'.]/g, '')
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
}

/** Invented people for invented companies. Any resemblance to real people is accidental. */
export interface GoldPerson {
  name: string
  title: string | null
  email?: string
}

const GIVEN =
  'Adelheid Barnaby Cordula Desmond Eleanor Fitzgerald Gwendolyn Hector Imogen Jasper Katharina Leopold Marisol Nathaniel Octavia Percival Quintina Rosalind Sebastian Theodora Ulysses Valentina Winifred Xavier Yolanda Zacharias Anna James Maria Robert Linda David Susan Kevin Priya Wei Oluwaseun Siobhan Tariq Aiko'.split(
    ' ',
  )
const FAMILY =
  'Testwell Samplewright Mockingham Fakenby Placeholder-Jones Dummerston Inventius Nobodyson Fictionel Examplar Madeuppe Pretendergast Fauxley Demostein Imaginova Stubbington Pseudonymos Whimsyford Figmentelli Makebelieu Notrealsky Fablewood Mythman Phantomley Unrealsson Blankenship-Test Lorumipsum Protatype Draftsworth Mockup-Lee'.split(
    ' ',
  )
const TITLES =
  'Chief Executive Officer|CEO|Founder & CEO|Chief Financial Officer|CFO|Chief Compliance Officer|CTO|Managing Partner|Partner|Vice President|VP, Engineering|Head of Product|Director of Operations|Senior Portfolio Manager|Wealth Advisor|Client Service Associate|Office Manager|General Counsel|Chief Investment Officer|Head of People & Culture|Financial Planner|Marketing Manager|Operations Specialist|Senior Software Engineer|President|Executive Assistant|Sales Director|Principal|Research Analyst|Vice President of Business Development|Director, Client Experience|Chief of Staff|Treasurer|Paraplanner|Associate Attorney|Registered Nurse|Chief Happiness Officer|Controller|Product Designer|Data Scientist|Investor Relations Manager|Co-Founder, Chief Scientist|HR Business Partner|Legal Counsel|Relationship Manager|Senior Advisor'.split(
    '|',
  )

export type Random = () => number

export const pick = <One>(random: Random, list: readonly One[]): One => list[Math.floor(random() * list.length)] as One

/** Generates people whose names are unique within a page. A fifth of the names have a middle initial. */
export function generatePeople(random: Random, count: number): GoldPerson[] {
  const people = new Map<string, GoldPerson>()
  while (people.size < count) {
    const name = `${pick(random, GIVEN)} ${random() < 0.2 ? `${pick(random, [...'ABCDEFGHJKLMRST'])}. ` : ''}${pick(random, FAMILY)}`
    people.set(name, { name, title: pick(random, TITLES) })
  }
  return [...people.values()]
}

export const emailOf = ({ name }: GoldPerson, domain: string): string => {
  const [first = '', ...rest] = name.toLowerCase().split(' ')
  return `${first[0]}${(rest.at(-1) ?? '').replace(/[^a-z]/g, '')}@${domain}`
}

/** Returns a biography of a few sentences. */
export function bioOf({ name }: GoldPerson, random: Random): string {
  const first = name.split(' ')[0]
  return pick(random, [
    `${first} joined the firm in 2011 and leads our work with families and foundations. Before that, ${first} spent ten years at a large bank in Springfield.`,
    `With more than twenty years of experience, ${name} advises entrepreneurs on what comes next. ${first} holds a degree in economics from the University of Nowhere and lives with two dogs.`,
    `${first} is responsible for everything that keeps the lights on. Outside the office you will find ${first} on a bicycle.`,
    `Prior to joining us, ${first} was Director of Finance at Otherwhere Holdings and a member of its executive committee.`,
  ])
}

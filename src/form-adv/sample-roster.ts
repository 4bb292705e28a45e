import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify/sync'
import type { SampleCompany } from '../demo/companies.ts'
import { generateCompanies } from '../demo/companies.ts'
import type { SeededRandom } from '../demo/seeded-random.ts'
import { seededRandom } from '../demo/seeded-random.ts'
import HEADINGS from './roster-headings.json' with { type: 'json' }
import { regionOf } from './sec-regions.ts'

export interface SampleOptions {
  /** Number of firms, at least 1. @default 400 */
  firms?: number
  /** @default 1 */
  seed?: number
}

/** Year of all filings, fixed so that the roster is reproducible. */
const YEAR = 2025

/** Number of companies on the demo web. Additional firms are numbered copies of these companies. */
const DISTINCT_COMPANIES = 600

/**
 * Writes a roster of invented firms in the layout and encoding that the SEC has used since 2025: 448 columns,
 * Windows-1252, and amounts padded with spaces. Streams the rows to a temporary file and renames it at the end.
 */
export async function writeSampleRoster(path: string, { firms = 400, seed = 1 }: SampleOptions = {}): Promise<void> {
  const temporary = `${path}.tmp`
  await pipeline(Readable.from(lines(firms, seed)), createWriteStream(temporary))
  await rename(temporary, path)
}

function* lines(firms: number, seed: number): Generator<Buffer> {
  const wanted = Math.min(firms, DISTINCT_COMPANIES)
  // About two thirds of the companies are advisers.
  const companies = generateCompanies(seed, wanted * 2 + 20).filter(({ is_adviser }) => is_adviser)
  yield encode([HEADINGS])
  for (let start = 0; start < firms; start += 100) {
    const rows = Array.from({ length: Math.min(100, firms - start) }, (_, offset) => {
      const index = start + offset
      const company = companies[index % companies.length] as SampleCompany
      return rowOf(
        index,
        index < companies.length ? company : copyOf(company, Math.floor(index / companies.length) + 1),
        seed,
      )
    })
    yield encode(rows)
  }
}

/** Encodes as Latin-1, because the invented names contain no characters that Windows-1252 encodes differently. */
const encode = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(stringify(rows as string[][], { record_delimiter: '\r\n' }), 'latin1')

function copyOf(company: SampleCompany, number: number): SampleCompany {
  return {
    ...company,
    name: `${company.name} ${number}`,
    legal_name: company.legal_name.replace(company.name, `${company.name} ${number}`),
    domain: company.domain.replace('.example', `-${number}.example`),
    social_url: `${company.social_url}-${number}`,
  }
}

function rowOf(index: number, company: SampleCompany, seed: number): string[] {
  const random = seededRandom(seed, `firm ${index}`)
  const cells = { ...blanks(), ...identity(index, company, random), ...business(company, random) } as Record<
    string,
    string
  >
  return HEADINGS.map((heading) => cells[heading] ?? '')
}

/** Headings of yes/no questions. The default answer is No, as for most real firms. */
const YES_OR_NO =
  /^(1[IMNO]|2A\(|6[AB]\(\d+\)$|7[AB](\(\d+\))?$|8[A-I](\(\d\))?$|9[A-D]\(\d\)(\([ab]\))?$|10A$|11([A-H](\(\d\))?(\([abc]\))?)?$)/
const QUESTIONS = HEADINGS.filter((heading) => YES_OR_NO.test(heading) && !/^9[AB]\(2\)/.test(heading))

const blanks = () => Object.fromEntries(QUESTIONS.map((heading) => [heading, 'N']))

function identity(index: number, company: SampleCompany, random: SeededRandom): Record<string, string> {
  const { headquarters: place } = company
  const inUs = place.country === 'United States'
  const registered = date(random, random.between(1997, YEAR - 1))
  const states = inUs && place.state ? random.sample(['CA', 'NY', 'TX', 'FL', 'MA', 'IL'], random.between(0, 4)) : []
  const notices = [...new Set([...(place.state && inUs ? [place.state] : []), ...states])].sort()
  // A quarter of the firms list only a social media profile, as in the SEC's rosters.
  const address = random.chance(0.75) ? `HTTPS://WWW.${company.domain.toUpperCase()}` : company.social_url
  return {
    'SEC Region': inUs ? regionOf(place.state) : 'HQ',
    'Organization CRD#': String(900_000 + index),
    // The numbers start above all numbers assigned by the SEC, so that invented firms do not collide with real firms.
    'SEC#': `801-${900_000 + index * 3}`,
    'Firm Type': 'Registered',
    'Umbrella Registration': 'N',
    'Primary Business Name': company.name.toUpperCase(),
    'Legal Name': company.legal_name.toUpperCase(),
    'Main Office Street Address 1': place.street.toUpperCase(),
    'Main Office City': place.city.toUpperCase(),
    'Main Office State': inUs ? (place.state ?? '') : '',
    'Main Office Country': place.country,
    'Main Office Postal Code': place.postal_code,
    'Main Office Telephone Number': company.phone ?? '',
    'Total number of offices, other than your Principal Office and place of business': String(random.between(0, 4)),
    'SEC Current Status': 'Approved',
    'SEC Status Effective Date': registered,
    'Jurisdiction Notice Filed-Effective Date': notices
      .map((state) => `${state}-${registered.replace(/\b(\d)\//g, '0$1/')}`)
      .join(', '),
    'Latest ADV Filing Date': date(random, YEAR),
    'Form Version': 'Oct-21',
    '1I': 'Y',
    'Website Address': address,
    'Total Number of Website Addresses': '1',
    '3A': /GmbH|LLC|L\.L\.C|Limited|Ltd/i.test(company.legal_name) ? 'Limited Liability Company' : 'Corporation',
    '3B': random.chance(0.9) ? 'DECEMBER' : 'JUNE',
    '3C-State': inUs ? random.pick(['DE', place.state ?? 'DE']) : '',
    '3C-Country': place.country,
  }
}

function business(company: SampleCompany, random: SeededRandom): Record<string, string> {
  const advisers = Math.max(1, Math.round(company.employee_count * (0.3 + random.next() / 2)))
  // Assets range from 3 million to 35 billion dollars. One in twenty advisers has no assets.
  const assets = random.chance(0.05)
    ? 0
    : Math.round(10 ** (6.5 + (random.next() + random.next() + random.next()) * 1.35) * 100) / 100
  const discretionary = random.chance(0.6) ? assets : Math.round(assets * random.next() * 100) / 100
  const accounts = assets === 0 ? 0 : random.between(1, 4_000)
  const managed = Math.round((accounts * discretionary) / (assets || 1))
  const funds = random.chance(0.35) ? random.between(1, 30) : 0
  const yes = (share: number) => (random.chance(share) ? 'Y' : 'N')
  return {
    '5A': String(company.employee_count),
    '5B(1)': String(Math.min(advisers, company.employee_count)),
    '5B(2)': '0',
    '5B(3)': String(random.between(0, advisers)),
    '5C(1)': '0',
    '5C(2)': String(random.pick([0, 0, 0, 1, 5, 20, 100])),
    ...Object.fromEntries(
      [0.95, 0.3, 0.01, 0.45, 0.02, 0.36, 0.14].map((share, place) => [`5E(${place + 1})`, yes(share)]),
    ),
    '5F(1)': assets > 0 ? 'Y' : 'N',
    '5F(2)(a)': money(discretionary),
    '5F(2)(b)': money(assets - discretionary),
    '5F(2)(c)': money(assets),
    '5F(2)(d)': String(managed),
    '5F(2)(e)': String(accounts - managed),
    '5F(2)(f)': String(accounts),
    '5F(3)': money(random.chance(0.6) ? 0 : assets / 10),
    ...Object.fromEntries(
      [0.43, 0.64, 0.1, 0.39, 0.39, 0.2, 0.28, 0.05, 0.01, 0.01, 0.1, 0.16].map((share, place) => [
        `5G(${place + 1})`,
        yes(share),
      ]),
    ),
    '5I(1)': yes(0.13),
    '7B': funds > 0 ? 'Y' : 'N',
    'Count of Private Funds - 7B(1)': String(funds),
    'Total Gross Assets of Private Funds': money(funds > 0 ? assets * 0.8 : 0),
    '8C(1)': yes(0.93),
    '9A(1)(a)': yes(0.45),
    '9A(1)(b)': yes(0.4),
    '11': yes(0.05),
  }
}

/** Formats an amount of money as in rosters since 2025: `   .00`, `   628,902,725.00`. */
function money(dollars: number): string {
  const text = dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return `   ${text.replace(/^0(?=\.)/, '')}`
}

const date = (random: SeededRandom, year: number): string =>
  `${random.between(1, year === YEAR ? 9 : 12)}/${random.between(1, 28)}/${year}`

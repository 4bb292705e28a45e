import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { CompanyToMatch } from '../../src/contract/match.ts'
import type { Db, ServiceTables } from '../../src/db/database.ts'
import { mulberry32 } from '../../src/demo/seeded-random.ts'
import { importFirmFile } from '../../src/form-adv/import-file.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import { nameWords } from '../../src/matching/find-candidates.ts'
import { SHARED_EDGAR, SHARED_ROSTERS } from '../helpers/shared-data.ts'
import { shuffle } from '../helpers/shuffle.ts'

const ISSUERS = join(SHARED_EDGAR, 'company_tickers.json')
const ROSTERS = ['ia070122.zip', 'ia100322.zip'].map((file) => join(SHARED_ROSTERS, file))

/** Returns the first required shared file that is missing, if any. */
export const missingFile = (): string | undefined => [...ROSTERS, ISSUERS].find((path) => !existsSync(path))

/** Imports the real rosters that the queries are made from. The second roster adds former names to firms. */
export async function importRosters(service: Postgres<ServiceTables>): Promise<void> {
  for (const path of ROSTERS) await importFirmFile(service, path, { maxBytes: 2 ** 28, maxGoneShare: 0.5 })
}

/** A request and the firm that it refers to; null if the name is not in any roster. */
export interface MatchQuery {
  kind: string
  expected: number | null
  company: CompanyToMatch
}

export type Half = 'training' | 'evaluation'

interface FirmRow {
  crd_number: number
  legal_name: string
  business_name: string
  city: string | null
  state: string | null
  country: string | null
  website_domain: string | null
  former_names: string[] | null
  namesakes: number
}

/**
 * Returns whether a CRD number belongs to a split: 70% of the firms are used for training, the others for evaluation.
 */
export const isInHalf = (number: number, half: Half): boolean => number % 10 < 7 === (half === 'training')

const LEGAL =
  /[\s,]+(l\.?\s?l\.?\s?c|l\.?\s?l\.?\s?p|l\.?\s?p|inc|incorporated|corp|corporation|co|company|ltd|limited|pllc|plc|p\.?c|n\.?a|s\.?a|gmbh|pte|b\.?v)\.?,?(?=$|[\s,])/gi
const ABBREVIATIONS: readonly (readonly [RegExp, string[]])[] = [
  [/\bmanagement\b/i, ['Mgmt', 'Mgt', 'Mgmt.']],
  [/\badvis[oe]rs?\b/i, ['Adv', 'Advsrs', 'Advs.']],
  [/\bassociates\b/i, ['Assoc', 'Assoc.', 'Assocs']],
  [/\binternational\b/i, ['Intl', "Int'l"]],
  [/\bfinancial\b/i, ['Fin', "Fin'l", 'Fin.']],
  [/\bservices\b/i, ['Svcs', 'Svc']],
  [/\bgroup\b/i, ['Grp', 'Grp.']],
  [/\bpartners\b/i, ['Ptnrs', 'Prtnrs']],
  [/\binvestments?\b/i, ['Inv', 'Invt', 'Invest']],
  [/\bcapital\b/i, ['Cap', 'Cap.']],
  [/\bstrategies\b/i, ['Strat', 'Strats']],
  [/\bholdings\b/i, ['Hldgs']],
  [/\band\b/i, ['&']],
  [/&/i, ['and']],
]

const dropLegal = (name: string): string => name.replace(LEGAL, '').trim() || name
const titleCase = (name: string): string =>
  name.toLowerCase().replace(/(^|[^\p{L}'])\p{L}/gu, (letters) => letters.toUpperCase())

/**
 * Makes deterministic queries from the firms in one split of the rosters, and from names that are not in any roster.
 */
export async function makeQueries(
  db: Db,
  half: Half,
  count: { known: number; unknown: number },
  seed: number,
): Promise<MatchQuery[]> {
  const random = mulberry32(seed)
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item
  const { rows: firms } = await sql<FirmRow>`
    select crd_number, legal_name, coalesce(business_name, legal_name) as business_name, city, state, country, website_domain, former_names,
      count(*) over (partition by name_words(legal_name)) as namesakes
    from firm where gone_as_of is null and legal_name is not null and name_words(legal_name) is not null
    order by crd_number`.execute(db)
  const own = firms.filter(({ crd_number }) => isInHalf(crd_number, half))
  const renamed = own.filter(({ former_names }) => former_names !== null)
  const sharing = own.filter(({ namesakes }) => namesakes > 1)

  const abbreviate = (name: string): string => {
    let changed = name
    for (const [pattern, short] of ABBREVIATIONS)
      if (random() < 0.8 && !/^\S+$/.test(changed)) changed = changed.replace(pattern, pick(short))
    return changed
  }
  const mistype = (name: string): string => {
    const words = name.split(' ')
    const long = [...words.keys()].filter((place) => (words[place] as string).length >= 5)
    if (long.length === 0) return name
    const place = pick(long)
    const letters = [...(words[place] as string)]
    const at = 1 + Math.floor(random() * (letters.length - 2))
    const letter = pick([...'abcdefghiklmnoprstuwy'])
    const edit = random()
    if (edit < 0.3) letters.splice(at, 1)
    else if (edit < 0.55) letters.splice(at, 2, letters[at + 1] as string, letters[at] as string)
    else if (edit < 0.8) letters[at] = letter
    else letters.splice(at, 0, edit < 0.9 ? letter : (letters[at] as string))
    words[place] = letters.join('')
    return words.join(' ')
  }
  const reorder = (name: string): string => {
    const words = name.replaceAll(',', '').split(' ')
    if (words.length < 2) return name
    const turn = 1 + Math.floor(random() * (words.length - 1))
    const separator = random() < 0.4 ? ', ' : ' '
    return `${words.slice(turn).join(' ')}${separator}${words.slice(0, turn).join(' ')}`
  }
  const shorten = (name: string): string => {
    const words = name.split(' ')
    return words.length >= 3
      ? words
          .slice(0, -1)
          .join(' ')
          .replace(/\s*(&|and|of)$/i, '')
      : name
  }
  const KINDS: Record<string, (firm: FirmRow) => string> = {
    'as filed': ({ legal_name }) => legal_name,
    'without legal form': ({ legal_name }) => dropLegal(legal_name),
    abbreviated: ({ legal_name }) => abbreviate(random() < 0.6 ? dropLegal(legal_name) : legal_name),
    mistyped: ({ legal_name }) => mistype(random() < 0.6 ? dropLegal(legal_name) : legal_name),
    'other word order': ({ legal_name }) => reorder(dropLegal(legal_name)),
    'last word missing': ({ legal_name }) => shorten(dropLegal(legal_name)),
    'business name': ({ business_name }) => dropLegal(business_name),
    'former name': ({ former_names, legal_name }) => (former_names ? pick(former_names) : legal_name),
    'same name in two states': ({ legal_name }) => (random() < 0.5 ? legal_name : dropLegal(legal_name)),
    'abbreviated and mistyped': ({ legal_name }) => mistype(abbreviate(dropLegal(legal_name))),
  }
  const names = Object.keys(KINDS)
  const queries: MatchQuery[] = []
  for (let number = 0; number < count.known; number += 1) {
    const kind = names[number % names.length] as string
    const firm = pick(kind === 'former name' ? renamed : kind === 'same name in two states' ? sharing : own)
    const written = (KINDS[kind] as (firm: FirmRow) => string)(firm)
    const name = random() < 0.7 ? titleCase(written) : written
    const place = kind === 'same name in two states' ? 0.4 + 0.6 * random() : random()
    const company: CompanyToMatch = { name }
    if (place > 0.35 && firm.state) company.state = firm.state
    if (place > 0.7 && firm.city) company.city = random() < 0.95 ? titleCase(firm.city) : 'Springfield'
    if (place > 0.8 && firm.country) company.country = firm.country
    const more = random()
    if (more < 0.04 && firm.website_domain) company.domain = firm.website_domain
    else if (more < 0.06) company.crd_number = firm.crd_number
    else if (more < 0.065) company.domain = 'other-company.com'
    queries.push({ kind, expected: firm.crd_number, company })
  }
  const places = own.filter(({ state }) => state !== null)
  for (const name of await unknownNames(db, half, count.unknown, random)) {
    const firm = pick(places)
    const place = random()
    const company: CompanyToMatch = { name: random() < 0.5 ? dropLegal(name) : name }
    if (place > 0.35 && firm.state) company.state = firm.state
    if (place > 0.7 && firm.city) company.city = titleCase(firm.city)
    queries.push({ kind: 'in no roster', expected: null, company })
  }
  return queries
}

/** Returns the names of SEC issuers in one split, by CIK. */
export function issuerNames(half: Half): string[] {
  const issuers = JSON.parse(readFileSync(ISSUERS, 'utf8')) as Record<string, { cik_str: number; title: string }>
  return Object.values(issuers)
    .filter(({ cik_str }) => (cik_str % 2 === 0) === (half === 'training'))
    .map(({ title }) => title)
}

/** Returns names of SEC issuers that are not the current or former name of any firm, compared by words. */
async function unknownNames(db: Db, half: Half, count: number, random: () => number): Promise<string[]> {
  const titles = [...new Set(issuerNames(half))].sort()
  const { rows: known } = await sql<{ words: string[] }>`
    select distinct name_words(name) as words from firm, unnest(array[legal_name, business_name] || former_names) as name
    where name_words(name) is not null`.execute(db)
  // Words are sorted, so that an unknown name differs from every firm's name in more than word order.
  const keyOf = (words: readonly string[]) => words.toSorted().join(' ')
  const roster = new Set(known.map(({ words }) => keyOf(words)))
  const words = await nameWords(db, titles)
  const unknown = titles.filter((_, place) => {
    const key = keyOf(words[place] ?? [])
    return key !== '' && !roster.has(key)
  })
  return shuffle(unknown, random).slice(0, count)
}

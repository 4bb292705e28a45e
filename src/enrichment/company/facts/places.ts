import type { Address } from '../address.ts'
import { countryCode, countryName } from '../countries.ts'
import type { Features } from './decide.ts'
import { grams, lettersOf, spreadOf, subjectOf } from './features.ts'
import { mentionsIn } from './organisations.ts'
import { placeInProse } from './place-in-prose.ts'
import type { Located } from './read-place.ts'
import { readPlace } from './read-place.ts'
import { foldPlace as fold } from './regions.ts'
import type { SiteText } from './site-text.ts'
import { isOwnName, othersIn } from './site-text.ts'
import type { Statement } from './statements.ts'

export interface AddressCandidate {
  address: Address
  /** Two-letter code. */
  country: string
  statement: Statement
  /** Indices of the statements that mention the address. */
  mentions: number[]
  features: Features
}

/** Maximum number of addresses, because every address is compared with all statements. */
const MAX_ADDRESSES = 200
const MAX_MENTIONS = 40
/** Maximum distance between the city and another part of a record in script data, in statements. */
const MAX_RECORD = 60

/** Finds the postal addresses on the site. `country` is the site's two-letter country code, if known. */
export function addressCandidates(site: SiteText, country: string | undefined): AddressCandidate[] {
  const found = new Map<string, { address: Address; country: string; mentions: number[]; features: Features[] }>()
  site.statements.forEach((statement, at) => {
    if (statement.text.length > 400) return
    // In script data, a year would be mistaken for the postal code of the next text.
    if (statement.area === 'script' && /^(?:19|20)\d\d$/u.test(site.statements[at - 1]?.text ?? '')) return
    const above = linesFrom(site, at).slice(0, -1)
    const [lines, read] = readRecord(site, at, country) ?? readPieces(statement, above, country) ?? []
    if (!lines || !read) return
    const key = fold(`${read.address.city} ${read.address.postal_code ?? ''}`)
    if (found.size >= MAX_ADDRESSES && !found.has(key)) return
    const one = found.get(key) ?? { ...read, mentions: [], features: [] }
    found.set(key, one)
    // Keep the mention with the most address parts.
    if (Object.keys(read.address).length > Object.keys(one.address).length) one.address = read.address
    // A statement just below an address repeats that address, because each statement is read together with the lines
    // above it.
    if (at - (one.mentions.at(-1) ?? -Infinity) < lines.length || one.mentions.length >= MAX_MENTIONS) return
    one.mentions.push(at)
    one.features.push(mentionFeatures(site, at, lines, read.address))
  })
  const all = [...found.values()]
  return all.map(({ address, country: code, mentions, features }, place) => {
    const pages = new Set(mentions.map((at) => site.statements[at]?.page))
    return {
      address,
      country: code,
      statement: site.statements[mentions[0] ?? 0] as Statement,
      mentions,
      features: {
        words: features.flatMap(({ words }) => words),
        shapes: [
          ...features.flatMap(({ shapes }) => shapes),
          place === 0 ? 'first' : 'later',
          all.length === 1 ? 'only address' : 'one of several',
          spreadOf(site, pages),
          ...(site.names.size === 0 ? ['unnamed site'] : []),
          ...(address.street ? ['street'] : []),
          ...(address.postal_code ? ['code'] : []),
          ...(address.state ? ['state'] : []),
          ...(/^(?:19|20)\d\d$/u.test(address.postal_code ?? '') ? ['code like a year'] : []),
          `city words ${Math.min((address.city ?? '').split(' ').length, 3)}`,
          `city elsewhere ${mentionsElsewhere(site, address.city ?? '', mentions)}`,
          country === undefined ? 'no country known' : code === country ? 'at home' : 'abroad',
        ],
      },
    }
  })
}

/** Returns where else the site mentions a city: in the title of the home page, in other texts, or not at all. */
function mentionsElsewhere(site: SiteText, city: string, mentions: readonly number[]): string {
  if (site.titles[0]?.includes(city)) return 'title'
  return site.statements.some(({ text }, at) => text.includes(city) && !mentions.some((own) => Math.abs(own - at) <= 1))
    ? 'text'
    : 'none'
}

/** Keys of the parts of an address in script data. */
const PART_KEYS: Record<keyof Address, RegExp> = {
  street: /^(?:street.*|address ?(?:line)? ?1?|line ?1?)$/iu,
  city: /^(?:.* )?(?:city|town|locality|ort|stadt|ville|ciudad|cidade|citta|comune|plaats|stad|miasto|mesto|kota|sehir)$/iu,
  state: /^(?:.* )?(?:state|province|region|pref|prefecture|county)$/iu,
  postal_code: /^(?:zip|zip ?code|post(?:al)? ?code|postal|plz|cep|cap|cp)$/iu,
  country: /^(?:.* )?country(?: code| name)?$/iu,
}

/** Reads the address of a record in script data, from the record's city. */
function readRecord(site: SiteText, at: number, home: string | undefined): [string[], Located] | undefined {
  const statement = site.statements[at] as Statement
  if (statement.area !== 'script' || !PART_KEYS.city.test(statement.label)) return undefined
  const record = site.statements
    .slice(Math.max(0, at - MAX_RECORD), at + MAX_RECORD)
    .filter(({ page, block }) => page === statement.page && block === statement.block)
  const part = (key: keyof Address): string | undefined => record.find(({ label }) => PART_KEYS[key].test(label))?.text
  const country = countryCode(part('country') ?? '') ?? home
  if (!country || record.length < 3 || statement.text.length > 40) return undefined
  const address = {
    street: part('street'),
    city: statement.text,
    state: part('state'),
    postal_code: part('postal_code'),
  }
  const known = Object.fromEntries(Object.entries(address).filter(([, value]) => value)) as Address
  return [record.map(({ text }) => text).slice(0, 4), { address: { ...known, country: countryName(country) }, country }]
}

/**
 * Matches the end of a sentence or address within a line. A dot after fewer than four letters marks an abbreviation,
 * except after a state code before a sentence.
 */
const END =
  /(?<=[\p{L}\p{M}]{4}|\p{N}|\p{Lu}{3}|\p{N}\p{Lu}|[)）]|[\p{Lo}\p{M}]{3})[.;。]\s+(?=[\p{Lu}\p{Lo}\p{N}(+])|(?<=,\s(?!TP)[A-Z]{2})\.\s+(?=\p{Lu}\p{Ll}+\s\p{L})/u
/** Matches what separates the name of an organization from its address. */
const AFTER_NAME = /^(?:\s*\([^)]*\))?[\s,./–—:·|-]+/u

/** Reads the first address in a statement, and returns it with its lines. */
function readPieces(
  statement: Statement,
  above: readonly string[],
  country: string | undefined,
): [string[], Located] | undefined {
  const own = normalize(statement.text)
  const pieces = [...own.split(END), own]
  for (const [place, text] of [...new Set(pieces.flatMap((piece) => [...withoutName(piece), piece]))].entries()) {
    const lines = place === 0 ? [...above, text] : [text]
    const read = readPlace({ ...statement, text }, lines, country)
    if (read) return [lines, read]
  }
  const named = placeInProse(own, country)
  return named && [[own], named]
}

/** Returns the text after the name of an organization at its start. */
function withoutName(text: string): string[] {
  const [first] = mentionsIn(text)
  const rest = first?.start === 0 ? text.slice(first.end).replace(AFTER_NAME, '') : text
  return /\d/u.test(rest) && rest !== text ? [rest] : []
}

/** Digits of other scripts, by the code of their zero. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xbe6]

/** Replaces the digits, commas and full stops of other scripts. */
const normalize = (text: string): string =>
  text
    .replace(/[٠-٩۰-۹०-९০-৯௦-௯]/gu, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
    })
    .replace(/[،፣]/gu, ',')
    .replace(/[።।۔։](?=\s|$)/gu, '.')

/** Returns the statement and up to three statements above it, from the same block or at most two lines away. */
function linesFrom(site: SiteText, at: number): string[] {
  const { page, block, area } = site.statements[at] as Statement
  const lines: string[] = []
  for (let above = at; above >= 0 && lines.length < 4; above--) {
    const near = site.statements[above] as Statement
    if (near.page !== page || (near.block !== block && (area === 'script' || at - above > 2)) || near.text.length > 200)
      break
    lines.unshift(normalize(near.text))
  }
  return lines
}

function mentionFeatures(site: SiteText, at: number, lines: readonly string[], { street, city }: Address): Features {
  const statement = site.statements[at] as Statement
  const block = lines.join(' ')
  const first = firstLine(site, at, street)
  const above = linesAbove(site, first)
  const heading = above.join(' ')
  const previous = site.statements[first - 1]
  const isSentence = (statement.text.match(/\p{Ll}{3,}/gu) ?? []).length > 12
  const start = [street, city].map((part) => (part ? statement.text.indexOf(part) : -1)).find((index) => index >= 0)
  const before = statement.text.slice(0, start ?? 0)
  const words = [
    ...above.flatMap((line) => grams('H', lettersOf(line).slice(0, 5))),
    ...grams('B', lettersOf(before).slice(-4).toReversed()),
    ...grams('K', lettersOf(statement.label).slice(0, 4)),
  ]
  const near = isSentence ? statement.text : `${heading} ${block}`
  const shapes = [
    `area ${statement.area}`,
    `subject ${subjectOf(site, `${statement.label} ${before}`)}`,
    `above ${subjectOf(site, previous?.page === statement.page ? previous.text : '')}`,
    ...(isOwnName(site, near) ? ['own name near'] : []),
    ...(othersIn(site, `${heading} ${block}`).length > 0 ? ['other organisation near'] : []),
    ...(isSentence ? ['in a sentence'] : []),
    ...(statement.page === 0 ? ['home'] : []),
  ]
  return { shapes, words }
}

const MAX_HEADING = 80

/**
 * Returns the index of the first statement of an address. `at` is the index of the statement with the address's city.
 */
function firstLine(site: SiteText, at: number, street: string | undefined): number {
  const { page } = site.statements[at] as Statement
  const isPart = (text: string): boolean => street !== undefined && (text.includes(street) || street.includes(text))
  const above = [at - 1, at - 2].filter((index) => {
    const near = site.statements[index]
    return near?.page === page && isPart(near.text)
  })
  let first = above.at(-1) ?? at
  // A line that ends with a comma continues on the next line.
  while (site.statements[first - 1]?.page === page && /,$/u.test(site.statements[first - 1]?.text ?? '')) first--
  return first
}

/** Returns the short lines above an address: the preceding line, and the line above the address's block. */
function linesAbove(site: SiteText, first: number): string[] {
  const { page, block } = site.statements[first] as Statement
  let top = first
  while (site.statements[top - 1]?.page === page && site.statements[top - 1]?.block === block) top--
  return [...new Set([first - 1, top - 1])].flatMap((index) => {
    const near = site.statements[index]
    return near?.page === page && near.text.length <= MAX_HEADING ? [near.text] : []
  })
}

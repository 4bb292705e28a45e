import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import type { Address } from '../address.ts'
import { parseAddress, streetFrom } from '../address.ts'
import { countryCode, countryName, isUsState } from '../countries.ts'
import { headquartersInText, parsePlace } from '../headquarters.ts'
import type { Features } from './decide.ts'
import { grams } from './features.ts'
import { foldPlace as fold, regionIn } from './regions.ts'
import type { SiteText } from './site-text.ts'
import { isOwnName, othersIn } from './site-text.ts'
import type { Statement } from './statements.ts'

export interface AddressCandidate {
  address: Address
  /** Two-letter code. */
  country: string
  statement: Statement
  /** Indices of the statements that mention it. */
  mentions: number[]
  features: Features
}

const CITY = String.raw`\p{Lu}[\p{L}\p{M}’'.-]*(?:[\s/](?:\p{L}{1,5}\s)?(?:\p{Lu}[\p{L}\p{M}’'.-]*|\d{1,2}(?=\s|$)))*`
const AFTER_CODE = new RegExp(String.raw`^[\s,]*(?<city>${CITY})`, 'u')
const BEFORE_CODE = new RegExp(
  String.raw`(?:^|[,;|·•\d)]|[–—-])\s*(?<city>${CITY})(?:\s*(?:[,–—/-]|\()\s*(?<region>[\p{L}. ]{2,25})\)?)?[\s,–—-]*$`,
  'u',
)
const CODE = /(?<![\p{L}\p{N}+(/])(?:[A-Z]{1,2}-)?(?:〒\s?)?[A-Z\d][A-Z\d-]{1,8}(?: [A-Z\d]{2,4})?(?![\p{L}\p{N}])/gu
/** Countries whose addresses have the city before the postcode. */
const CITY_FIRST = new Set([
  'US',
  'CA',
  'GB',
  'AU',
  'NZ',
  'IN',
  'BR',
  'SG',
  'IE',
  'ZA',
  'ID',
  'PK',
  'BD',
  'TH',
  'LK',
  'NG',
  'KE',
  'LV',
  'UA',
  'RU',
  'BY',
  'MM',
  'PH',
  'TW',
  'CN',
  'VN',
  'SA',
  'PE',
  'CO',
])
const JAPANESE =
  /(?<region>\p{Script=Han}{2,3}?[都道府県])(?<city>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ヶ]{1,6}?[市区町村])/u
const KOREAN = /(?<region>[가-힣]{2,7}(?:특별자치도|특별자치시|특별시|광역시|도))\s+(?<city>[가-힣]{1,5}[시군구])/u
const CHINESE =
  /(?<region>\p{Script=Han}{2,3}(?:省|自治区))(?<city>\p{Script=Han}{2,4}?市)|(?<only>北京|上海|天津|重庆|重慶|臺北|台北|新北|桃園|臺中|台中|臺南|台南|高雄)市/u

/** Finds the postal addresses on the site. `country` is the site's two-letter country, if it is known. */
export function addressCandidates(site: SiteText, country: string | undefined): AddressCandidate[] {
  const found = new Map<string, { address: Address; country: string; mentions: number[]; features: Features[] }>()
  site.statements.forEach((statement, at) => {
    if (statement.text.length > 400) return
    const lines = linesFrom(site, at)
    const read = readAt(statement, lines, country)
    if (!read) return
    const key = fold(`${read.address.city} ${read.address.postal_code ?? ''}`)
    const one = found.get(key) ?? { ...read, mentions: [], features: [] }
    one.mentions.push(at)
    // The mention with the most parts is shown.
    if (Object.keys(read.address).length > Object.keys(one.address).length) one.address = read.address
    one.features.push(mentionFeatures(site, at, lines))
    found.set(key, one)
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
          `pages ${site.pages.length === 1 ? 'only' : pages.size === 1 ? 'one' : pages.size >= site.pages.length - 1 ? 'all' : 'some'}`,
          ...(address.street ? ['street'] : []),
          ...(address.postal_code ? ['code'] : []),
          ...(address.state ? ['state'] : []),
          country === undefined ? 'no country known' : code === country ? 'at home' : 'abroad',
        ],
      },
    }
  })
}

/** The statement and up to two lines above it in its block. */
function linesFrom(site: SiteText, at: number): string[] {
  const { page, block, area } = site.statements[at] as Statement
  const lines: string[] = []
  for (let above = at; above >= 0 && lines.length < 4; above--) {
    const near = site.statements[above] as Statement
    if (near.page !== page || (near.block !== block && (area === 'script' || at - above > 2)) || near.text.length > 200)
      break
    lines.unshift(near.text)
  }
  return lines
}

function readAt({ label, text }: Statement, lines: readonly string[], home: string | undefined): Located | undefined {
  const known = /\d/u.test(text) ? located(parseAddress(lines.slice(-3), home)) : undefined
  const read = readWithCode(lines, home)
  // Forms with a state, and British ones with a county, are read more exactly by their own patterns.
  if (
    known &&
    (!read || parts(known) > parts(read) || known.address.state !== undefined || OWN_PATTERNS.has(known.country))
  )
    return known
  return read ?? located(headquartersInText(text)) ?? (label === '' ? undefined : located(parsePlace(text)))
}

const OWN_PATTERNS = new Set(['US', 'CA', 'GB', 'IE', 'AU', 'SG'])

const parts = ({ address }: Located): number => Object.keys(address).length

const located = (address: Address | undefined): Located | undefined => {
  const country = countryCode(address?.country ?? '')
  return address?.city && country ? { address, country } : undefined
}

function readWithCode(lines: readonly string[], home: string | undefined): Located | undefined {
  for (const width of [1, 2, 3]) {
    if (lines.length < width) break
    const read = readLine(lines.slice(-width).join(', '), home, width)
    if (!read) continue
    const above = lines.length > width ? lines.at(-width - 1) : undefined
    const line = read.street ?? above
    const street =
      line && /\d/u.test(line) && line.length < 90 && !/[@©]|https?:|\+\d/u.test(line)
        ? streetFrom(line.trim(), above)
        : undefined
    return {
      address: { ...(street && { street }), ...read.address, country: countryName(read.country) },
      country: read.country,
    }
  }
  return undefined
}

/** An address in a country, given by its two-letter code. */
interface Located {
  address: Address
  country: string
}

type Read = { address: Address; country: string; street?: string | undefined }

function readLine(line: string, home: string | undefined, width: number): Read | undefined {
  if (line.length > 300) return undefined
  const named = namedCountry(line)
  const asian = width === 1 ? readEastAsian(line, home) : undefined
  if (asian) return asian
  for (const country of new Set([named, home].filter((one) => one !== undefined))) {
    const read = readByCode(line, country)
    if (read) return read
  }
  return named && width === 1 ? readByParts(line, named) : undefined
}

/** The country named at the end of an address. */
function namedCountry(line: string): string | undefined {
  const parts = line.split(/\s*[,;()|·•]\s*|\s+[–—-]\s+/u).filter(Boolean)
  return parts
    .slice(-3)
    .toReversed()
    .map((part) => (part.length > 2 ? countryCode(part.replace(/\.$/u, '')) : undefined))
    .find((code) => code)
}

function readEastAsian(line: string, home: string | undefined): Read | undefined {
  const japanese = home === 'JP' || /〒/u.test(line) ? JAPANESE.exec(line)?.groups : undefined
  if (japanese) return east('JP', japanese, /〒?\s?(\d{3}-\d{4})/u.exec(line)?.[1])
  const korean = KOREAN.exec(line)?.groups
  if (korean) return east('KR', korean, /(?<!\d)(\d{5})(?!\d)/u.exec(line)?.[1])
  const chinese = home === 'CN' || home === 'TW' ? CHINESE.exec(line)?.groups : undefined
  if (chinese) {
    const { region, city, only } = chinese
    return east(
      home as string,
      { ...(region && { region }), city: city ?? `${only}市` },
      /(?<!\d)(\d{6})(?!\d)/u.exec(line)?.[1],
    )
  }
  return undefined
}

const east = (
  country: string,
  { region, city }: Record<string, string | undefined>,
  code: string | undefined,
): Read => ({
  address: { ...(city && { city }), ...(region && { state: region }), ...(code && { postal_code: code }) },
  country,
})

function readByCode(line: string, country: string): Read | undefined {
  if (!postcodeValidatorExistsForCountry(country)) return undefined
  for (const { 0: written, index } of line.matchAll(CODE)) {
    const readings = [written, written.split(' ')[0] ?? ''].filter((one, place, all) => all.indexOf(one) === place)
    for (const text of readings) {
      const code = text.replace(/^(?:〒\s?|[A-Z]{1,2}-(?=\d))/u, '')
      if (!/\d/u.test(code) || !postcodeValidator(code, country)) continue
      const [before, after] = [line.slice(0, index), line.slice(index + text.length)]
      const read = CITY_FIRST.has(country) ? cityBefore(before, after, country) : cityAfter(before, after, country)
      if (read) return { ...read, address: { ...read.address, postal_code: code } }
    }
  }
  return undefined
}

function cityAfter(before: string, after: string, country: string): Read | undefined {
  const city = AFTER_CODE.exec(after)?.groups?.['city']?.replace(/[.’'-]+$/u, '')
  // The number may be a street's: a street is above or before the postcode.
  if (!city || city.length > 40 || countryCode(city)) return undefined
  const rest = after.slice(after.indexOf(city) + city.length)
  const state = rest
    .split(/[,;()|·•]|\s[–—-]\s/u)
    .slice(0, 3)
    .map((part) => regionIn(part, country))
    .find((region) => region !== undefined && fold(region) !== fold(city))
  const street = before
    .replace(/[\s,–—|·-]+$/u, '')
    .split(/\s*[|·•:]\s+/u)
    .at(-1)
  return { address: { city, ...(state && { state }) }, country, street: street || undefined }
}

function cityBefore(before: string, after: string, country: string): Read | undefined {
  const groups = BEFORE_CODE.exec(before)?.groups
  if (!groups?.['city']) return undefined
  const { city, region } = groups as { city: string; region?: string }
  const inner = region === undefined ? undefined : regionIn(region, country)
  if (inner === undefined && region !== undefined && regionIn(city, country) === undefined) {
    // What follows a comma is the city: `Dunmore Lane, Clonakilty P85 X2Y3`.
    return {
      address: { city: region.trim() },
      country,
      street: before.slice(0, before.lastIndexOf(region)).replace(/[\s,–—-]+$/u, ''),
    }
  }
  const outer = after
    .split(/[,;()|·•]|\s[–—-]\s/u)
    .slice(0, 3)
    .map((part) => regionIn(part, country))
    .find((one) => one !== undefined)
  const state = inner ?? outer
  const start = before.lastIndexOf(city)
  return {
    address: { city, ...(state && { state }) },
    country,
    street: before.slice(0, start).replace(/[\s,–—-]+$/u, '') || undefined,
  }
}

/** Reads `Street 1, City, Region, Country` without a postcode. */
function readByParts(line: string, country: string): Read | undefined {
  const parts = line.split(/\s*[,;]\s*/u).filter(Boolean)
  if (parts.length < 3 || parts.length > 6 || line.length > 150) return undefined
  const last = parts.findLastIndex((part) => countryCode(part.replace(/\.$/u, '')) === country)
  const state = regionIn(parts[last - 1] ?? '', country)
  const city = parts[state === undefined ? last - 1 : last - 2]
  if (!city || !new RegExp(`^${CITY}$`, 'u').test(city) || isUsState(city)) return undefined
  const street = parts.slice(0, parts.indexOf(city)).join(', ')
  if (!/\d/u.test(street)) return undefined
  return { address: { city, ...(state && { state }) }, country, street }
}

function mentionFeatures(site: SiteText, at: number, lines: readonly string[]): Features {
  const statement = site.statements[at] as Statement
  const block = lines.join(' ')
  const heading = headingAbove(site, at, lines.length)
  const sentence = (statement.text.match(/\p{Ll}{3,}/gu) ?? []).length > 12
  const words = [
    ...grams('H', (heading.match(/[\p{L}\p{M}'’]+/gu) ?? []).slice(0, 5)),
    ...grams('K', (statement.label.match(/[\p{L}\p{M}'’]+/gu) ?? []).slice(0, 4)),
  ]
  const shapes = [
    `area ${statement.area}`,
    ...(isOwnName(site, `${heading} ${block}`) ? ['own name near'] : []),
    ...(othersIn(site, `${heading} ${block}`).length > 0 ? ['other organisation near'] : []),
    ...(sentence ? ['in a sentence'] : []),
    ...(statement.page === 0 ? ['home'] : []),
  ]
  return { shapes, words }
}

/** The line above the address. */
function headingAbove(site: SiteText, at: number, lines: number): string {
  const { page } = site.statements[at] as Statement
  const above = site.statements[at - lines]
  return above?.page === page && above.text.length <= 80 ? above.text : ''
}

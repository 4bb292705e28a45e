import { readAlternatives } from '../../vocabulary/read-words.ts'
import { isSentence } from '../address.ts'
import { countryCode, isUsState } from '../countries.ts'
import { CITY, CITY_COUNTRIES, CITY_STATES, isCityName, WORD } from './city-names.ts'
import { isRegionOnly, REGION_OF_CITY, withoutDistrict } from './districts.ts'
import type { ReadLine as Read } from './read-local-forms.ts'
import { foldPlace as fold, regionIn } from './regions.ts'

/** Reads an address without a postal code. `named` is the country that it names, and `home` the site's country. */
export function readWithoutPostcode(
  line: string,
  named: string | undefined,
  home: string | undefined,
): Read | undefined {
  const country = named ?? home
  if (country === undefined) return undefined
  const read =
    (country === 'BR' ? readBrazilian(line) : undefined) ??
    readMarked(line, country) ??
    (country === 'GB' ? readByArea(line) : undefined)
  if (read) return read
  const pieces = piecesOf(line)
  const readFirst = (read: (text: string) => Read | undefined): Read | undefined => pieces.map(read).find(Boolean)
  return (
    readFirst(
      (text) => (named ? readByParts(text, named) : undefined) ?? (home ? readByRegion(text, home) : undefined),
    ) ?? (home ? readFirst((text) => readByStreet(text, home) ?? readCityFirst(text, home)) : undefined)
  )
}

/** Returns the line, the line with commas instead of bars and dashes, and its parts between bars and dashes. */
const piecesOf = (line: string): string[] => [
  ...new Set([line, line.replace(/\s+[·•|–—-]\s+/gu, ', '), ...line.split(/\s+[·•|/–—-]\s+/u)]),
]

/** Matches a street without a number. */
const STREET_NAME = new RegExp(
  String.raw`\p{Lu}\p{L}+\s(?:${readAlternatives('places/street-kinds')}|Park|Quay|Estate|Centre)$`,
  'iu',
)

/** Words for streets, roads and industrial areas in scripts without capital letters. */
const CASELESS_STREET =
  /(?:^|\s)(?:شارع|طريق|خیابان|بلوار|جاده|روڈ|سڑک|रोड|मार्ग|सड़क|क्षेत्र|সড়ক|রোড|এলাকা|சாலை|தெரு|ரோடு|ქუჩა|გამზირი|ხეივანი|መንገድ)(?:\s|$)/u

const hasStreetName = (parts: readonly string[]): boolean =>
  parts.some((part) => STREET_NAME.test(part) || CASELESS_STREET.test(part))

/** Countries whose states are rarely named like cities. */
const FEDERATIONS = new Set(['US', 'CA', 'AU'])

const CITY_LIKE_STATE = /^(?:Washington|New York|Qu[eé]bec)$/u

const STREET_WITH_NUMBER = /(?:[\p{L}\p{M}]{2,}\.?|\p{Ll}\.|”|“|»),?\s\d{1,4}\s?\p{L}?$|^\d{1,4}\p{L}?,?\s\p{L}{2,}/u

/** Matches a telephone number at the end of an address, its label, and the text after it. */
const PHONE_END = /(?:[,.;|·•–—-]|\s\()\s*(?:[\p{L}\p{M}]{1,14}\.?:?\s*){0,2}\(?\+?[\d(][\d\s()./–-]{5,}\d.*$/u

const MIN_PHONE_DIGITS = 7

function withoutPhone(line: string): string {
  const found = PHONE_END.exec(line)
  return found && (found[0].match(/\d/gu) ?? []).length >= MIN_PHONE_DIGITS ? line.slice(0, found.index) : line
}

/** A city with the word for `city` before or after it, as in `г. Пермь` and `Қостанай қ.`. */
const MARKED_CITY = new RegExp(
  String.raw`(?:^|[\s,])(?:г\.|гор\.|город|м\.|місто|гр\.|ք\.|ქ\.|ქალაქი)\s?(?<before>${CITY})(?=\s*(?:[,.;|·(–—]|$))|(?:^|[\s,])(?<after>${WORD})\s(?:қ\.|қаласы|шаҳри|shahri|шаары)(?=\s*(?:[,.;|·(–—]|$))`,
  'u',
)

/** Reads an address with the word for `city`, as in `Россия, г. Пермь, ул. Ленина, 5`. */
function readMarked(line: string, home: string): Read | undefined {
  const { before, after } = MARKED_CITY.exec(line)?.groups ?? {}
  const city = before ?? after
  if (!city || city.length > 30 || line.length > 200 || !/\d|,/u.test(line)) return undefined
  const state = line
    .split(/\s*,\s*/u)
    .map((part) => regionIn(part, home))
    .find((region) => region !== undefined && fold(region) !== fold(city))
  return { address: { city, ...(state && { state }) }, country: home }
}

/** Matches words for streets, which may follow the city in addresses of any country. */
const STREET_WORD = /^(?:ul|al|pl|os|ulica|str|вул|ул|бул)\.\s/u

/** Countries where addresses often start with the city. */
const CITY_BEFORE_STREET = new Set(['AM', 'AZ', 'BG', 'BY', 'GE', 'KG', 'KZ', 'MN', 'RU', 'UA', 'UZ'])

/** Reads `City, Street 1`. */
function readCityFirst(line: string, home: string): Read | undefined {
  if (line.length > 100) return undefined
  const [city = '', ...rest] = withoutPhone(line.replace(/\s*\([^()]*\)$/u, '')).split(/\s*,\s*/u)
  if (!CITY_BEFORE_STREET.has(home) && !STREET_WORD.test(rest[0] ?? '')) return undefined
  const isStreet = rest.length > 0 && rest.length < 4 && STREET_WITH_NUMBER.test(rest.join(' ').replace(/[.;]$/u, ''))
  return isStreet && isCityName(city) && city.split(' ').length < 3 && !countryCode(city)
    ? { address: { city }, country: home, street: rest.join(', ') }
    : undefined
}

/** Reads `Street 1, City` and `Street 1, City (Region)` without a postal code, region or country. */
function readByStreet(line: string, home: string): Read | undefined {
  if (line.length > 120 || isSentence(line)) return undefined
  const own = withoutPhone(line.split(/\s+[·•|]\s+/u).find((part) => /\d/u.test(part)) ?? line)
  const parts = own.replace(/[.;]$/u, '').split(/\s*,\s*|\s+[–—-]\s+/u)
  const [, city = '', inner = ''] = /^([^()]+?)(?:\s*\(([^()]+)\))?$/u.exec(parts.at(-1) ?? '') ?? []
  const street = parts.slice(0, -1).join(', ')
  if (parts.length < 2 || parts.length > 5 || !isCityName(city)) return undefined
  if (countryCode(city) && !CITY_COUNTRIES.has(home)) return undefined
  if (FEDERATIONS.has(home) && regionIn(city, home) && !CITY_LIKE_STATE.test(city)) return undefined
  const inStreet = [street, ...parts.slice(0, -1)]
  if (!inStreet.some((part) => STREET_WITH_NUMBER.test(part)) && !hasStreetName(inStreet)) return undefined
  const state = regionIn(inner, home)
  return { address: { city, ...(state && { state }) }, country: home, street }
}

/** Reads `Street 1, City, Region` without a postal code or country. */
function readByRegion(line: string, home: string): Read | undefined {
  const parts = withoutPhone(line)
    .replace(/[.;]$/u, '')
    .split(/\s*[,/]\s*/u)
  const [city, region] = parts.slice(-2)
  const street = parts.slice(0, -2).join(', ')
  if (parts.length < 3 || parts.length > 6 || line.length > 150) return undefined
  if (!/\p{N}/u.test(street) && !hasStreetName(parts.slice(0, -2))) return undefined
  const state = regionIn(region ?? '', home)
  if (!city || !state || !isCityName(city)) return undefined
  if (home === 'PE') return { address: { city: state }, country: home, street: parts.slice(0, -1).join(', ') }
  return { address: { city, state }, country: home, street }
}

/** Matches a post office box and the number of its delivery office, as in `01 BP 1234 Abidjan 01`. */
const BOX = /(?<=,\s)\d{0,2}\s?B\.?P\.?\s\d+\s(\p{Lu}[^,]*?)(?:\s\d\d)?(?=,)/gu

/** Reads `Street 1, City, Region, Country` without a postal code. */
function readByParts(line: string, country: string): Read | undefined {
  // In footers, separators set the address apart from other facts, and a label may precede the address.
  const own = line.split(/\s+[·•|]\s+/u).find(
    (part) =>
      countryCode(
        part
          .split(/\s*,\s*/u)
          .at(-1)
          ?.replace(/\.$/u, '') ?? '',
      ) === country,
  )
  const hasBox = (own ?? line).search(BOX) >= 0
  const parts = (own ?? withoutPhone(line))
    .replace(/^[\p{L} ]{3,30}:\s+/u, '')
    .replace(/\s+\/\s+/gu, '/')
    .replace(BOX, '$1')
    .split(/\s*[,،;]\s*/u)
    .filter(Boolean)
  const enclosed = enclosedRegion(own ?? line, country)
  if (enclosed) return enclosed
  if (parts.length < 3 || parts.length > 6 || (own ?? line).length > 150) return undefined
  const last = parts.findLastIndex((part) => countryCode(part.replace(/\.$/u, '')) === country)
  const region = regionIn(parts[last - 1] ?? '', country)
  // Counties such as Galway have the same name as their main city.
  const isCity =
    region === undefined ||
    (REGION_OF_CITY.has(country) && !isRegionOnly(parts[last - 1] ?? '', parts[last - 2] ?? '', country)) ||
    (/\d|\b(?:Road|Rd|Street|St|Lane|Quay|Park|Estate|Centre|Square|Avenue)$/u.test(parts[last - 2] ?? '') &&
      !isSentence(parts[last - 2] ?? ''))
  const state = isCity ? undefined : region
  const city = (CITY_STATES.has(country) ? parts[last] : parts[isCity ? last - 1 : last - 2])?.replace(
    /^\p{Ll}{1,2}\.\s?/u,
    '',
  )
  if (!city || !isCityName(city) || isUsState(city)) return undefined
  const at = parts.findIndex((part) => part.endsWith(city))
  const street = parts.slice(0, at).join(', ')
  // A street without a number is read only if a building or district precedes it, and if no other country is named.
  const isBuilding = last === parts.length - 1 && at > 1 && !isSentence(street)
  const isList = parts.filter((part) => countryCode(part) !== undefined).length > 1
  const isTown = parts.length === 3 && state !== undefined && !isList
  if (!/\d/u.test(street) && !hasBox && !isTown && !hasStreetName(parts.slice(0, at)) && (!isBuilding || isList))
    return undefined
  return { address: withoutDistrict({ city, ...(state && { state }) }, country), country, street }
}

/** Reads `City (Region), Country`. */
function enclosedRegion(line: string, country: string): Read | undefined {
  const found = /(?:^|,\s*)(?<city>[^,()]+)\s\((?<region>[^()]+)\),?\s*(?<land>[^,()]+?)\.?$/u.exec(line)
  const { city = '', region = '', land = '' } = found?.groups ?? {}
  const state = countryCode(land) === country && isCityName(city) ? regionIn(region, country) : undefined
  return found && state ? { address: { city, state }, country, street: line.slice(0, found.index) } : undefined
}

/** Reads `City/UF`, as in Brazilian addresses without a postal code. */
function readBrazilian(line: string): Read | undefined {
  const { city = '', state = '' } = BRAZILIAN.exec(line)?.groups ?? {}
  return state && regionIn(state, 'BR') ? { address: { city, state }, country: 'BR' } : undefined
}

const BRAZILIAN = new RegExp(
  String.raw`(?:^|[,–—-]\s)(?<city>${CITY})\s?[/-]\s?(?<state>[A-Z]{2})(?=\s*(?:[,.;|·•–—]|$))`,
  'u',
)

/** The first half of a British postcode, as in `Leeds LS10`. */
const BRITISH_AREA = /^[A-Z]{1,2}\d[A-Z\d]?$/u

/** Reads `Street 1, Leeds LS10`, an address with the first half of a British postcode. */
function readByArea(line: string): Read | undefined {
  const parts = line.replace(/[.;]$/u, '').split(/\s*,\s*/u)
  const isNamed = countryCode(parts.at(-1) ?? '') === 'GB'
  const [, city, area = ''] = /^(.+?)\s+(\S+)$/u.exec((isNamed ? parts.at(-2) : parts.at(-1)) ?? '') ?? []
  const street = parts.slice(0, isNamed ? -2 : -1).join(', ')
  if (!city || !BRITISH_AREA.test(area) || street === '' || isSentence(street) || !isCityName(city)) return undefined
  return { address: { city, postal_code: area }, country: 'GB', street }
}

import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { readAlternatives } from '../../vocabulary/read-words.ts'
import type { Address } from '../address.ts'
import { isSentence, parseAddress, streetFrom } from '../address.ts'
import { countryCode, countryName, isUsState, stateName } from '../countries.ts'
import { headquartersInText, parsePlace } from '../headquarters.ts'
import type { ReadLine as Read } from './read-local-forms.ts'
import { isTurkishCity, readLocalForm } from './read-local-forms.ts'
import { foldPlace as fold, regionIn } from './regions.ts'
import type { Statement } from './statements.ts'

/** An address and its two-letter country code. */
export interface Located {
  address: Address
  country: string
}

/** Scripts without capital letters and with spaces between words. */
const CASELESS_SCRIPTS = String.raw`\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Georgian}\p{Script=Ethiopic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Gujarati}\p{Script=Sinhala}`
const CASELESS = new RegExp(`[${CASELESS_SCRIPTS}]`, 'u')
const FIRST = String.raw`(?:\p{Lu}|(?=\p{L})[${CASELESS_SCRIPTS}])`
/** A capitalized word. A full stop after more than three letters ends a sentence. */
const WORD = String.raw`(?:${FIRST}[\p{L}\p{M}]{0,2}\.|${FIRST}(?:[\p{L}\p{M}’'-]|\.(?=\p{L}))*)`
const CITY = String.raw`${WORD}(?:[\s/](?:\p{L}{1,5}\s){0,2}(?:${WORD}|(?<!\.\s)\d{1,2}(?=$|\s(?!\d))))*`
/** Words such as `г.` and `м.` before a city. */
const CITY_WORD = String.raw`(?:\p{Ll}{1,2}\.\s?)?`
/** Countries where the second word of a city, as in `Novo mesto`, often starts with a small letter. */
const LOWER_CASE_CITIES = new Set(['BA', 'CZ', 'HR', 'RS', 'SI', 'SK'])
const TWO_WORDS_AFTER_CODE = /^[\s,]*(?<city>\p{Lu}\p{L}+\s\p{Ll}{4,})(?=\s*(?:,|$))/u
/** Any words are a city in a script without capital letters, so only short ones are accepted. */
const MAX_CASELESS_WORDS = 3
const WHOLE_CITY = new RegExp(`^${CITY}$`, 'u')
const isCityName = (text: string): boolean =>
  WHOLE_CITY.test(text) && !(CASELESS.test(text) && text.split(' ').length > MAX_CASELESS_WORDS)
const AFTER_CODE = new RegExp(String.raw`^[\s,،]*${CITY_WORD}(?<city>${CITY})`, 'u')
const BEFORE_CODE = new RegExp(
  String.raw`(?:^|[,،;|·•\d)]|[–—-])\s*${CITY_WORD}(?<city>${CITY})(?:\s*(?:[,–—/-]|\()\s*(?<region>${FIRST}[\p{L}\p{M}. ]{1,24})\)?)?[\s,،–—-]*$`,
  'u',
)
const CODE =
  /(?<![\p{L}\p{N}+(/]|\d{3} |\d-)(?:[A-Z]{1,2}-)?(?:〒\s?)?[A-Z\d][A-Z\d-]{1,8}(?: [A-Z\d]{2,4})?(?![\p{L}\p{N}]|\/\d|\s?[–—]\s?\d{4}|\s\d{3}\s\d{3})/gu
/** Countries where the city precedes the postal code in an address. */
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
  'LT',
  'RO',
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
/** The first half of a British postcode, as in `Leeds LS10`. */
const BRITISH_AREA = /^[A-Z]{1,2}\d[A-Z\d]?$/u
/**
 * Reads the address that ends in a statement. `lines` contains the statement and the statements above it, and `home` is
 * the site's two-letter country code, if known.
 */
export function readPlace(
  { label, text }: Statement,
  lines: readonly string[],
  home: string | undefined,
): Located | undefined {
  const last = lines.slice(-3)
  const [known] = /\d/u.test(text)
    ? [last, last.map(withCommas)]
        .map((one) => located(parseAddress(one, home)))
        .filter((one) => one !== undefined)
        .toSorted((a, b) => parts(b) - parts(a))
    : []
  const read = readWithCode(lines, home)
  // The dedicated patterns of `parseAddress` are more precise for addresses with a state and for English-speaking
  // countries.
  if (
    known &&
    (!read || parts(known) > parts(read) || known.address.state !== undefined || OWN_PATTERNS.has(known.country))
  )
    return { ...known, address: withoutDistrict(known.address, known.country) }
  return read ?? located(headquartersInText(text)) ?? (label === '' ? undefined : located(parsePlace(text)))
}

/** In footers, dots and bars separate the parts of an address. */
const withCommas = (line: string): string => line.replace(/\s+[·•|]\s+/gu, ', ')

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
      line && /\d/u.test(line) && line.length < 90 && !/[@©]|https?:|\+\d/u.test(line) && !isSentence(line)
        ? streetFrom(line.trim(), above)
        : undefined
    return {
      address: { ...(street && { street }), ...read.address, country: countryName(read.country) },
      country: read.country,
    }
  }
  return undefined
}

/** Matches labels for postal codes. */
const CODE_LABEL =
  /(?<![\p{L}.])(?:CEP|CAP|C\.?\s?P|PLZ|PIN|ZIP|Eircode|Post ?code|Postal code)[.:]*\s+(?=[A-Z]{0,2}-?\d)/giu

function readLine(text: string, home: string | undefined, width: number): Read | undefined {
  if (text.length > 300) return undefined
  const line = text.replace(CODE_LABEL, '').replace(/(\p{L}) \((\d{4,6})\)/gu, '$1 $2')
  const named = namedCountry(line)
  const local = width === 1 ? readLocalForm(line, named ?? home) : undefined
  if (local) return local
  for (const country of new Set([named, home].filter((one) => one !== undefined))) {
    const read = readByCode(line, country)
    if (read) return read
  }
  if (width > 1) return undefined
  if ((named ?? home) === 'BR') {
    const brazilian = readBrazilian(line)
    if (brazilian) return brazilian
  }
  const marked = (named ?? home) === undefined ? undefined : readMarked(line, (named ?? home) as string)
  if (marked) return marked
  const british = (named ?? home) === 'GB' ? readByArea(line) : undefined
  if (british) return british
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

/** Reads an address with the word for \`city\`, as in \`Россия, г. Пермь, ул. Ленина, 5\`. */
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

/** Returns the country named at the end of an address or of its part between bars. */
function namedCountry(line: string): string | undefined {
  const parts = line.split(/\s*[,،;()|·•]\s*|\s+[–—-]\s+/u).filter(Boolean)
  const ends = line.split(/\s+[·•|]\s+/u).map((part) => part.split(/\s*[,،]\s*/u).at(-1) ?? '')
  return [...parts.slice(-3).toReversed(), ...ends]
    .flatMap((part) => [part, part.replace(/\s(?:[A-Z\d-]*\d[A-Z\d-]*\s?)+$/u, '')])
    .map((part) => (part.length > 2 ? countryCode(part.replace(/\.$/u, '')) : undefined))
    .find((code) => code)
}

function readByCode(line: string, country: string): Read | undefined {
  if (!postcodeValidatorExistsForCountry(country)) return undefined
  for (const { 0: written, index } of line.matchAll(CODE)) {
    const readings = [written, written.split(' ')[0] ?? ''].filter((one, place, all) => all.indexOf(one) === place)
    for (const text of readings) {
      const code = text.replace(/^(?:〒\s?|[A-Z]{1,2}-(?=\d))/u, '')
      if (!/\d/u.test(code) || !postcodeValidator(code, country)) continue
      // A year is a postcode only next to a street, and never after a copyright sign.
      if (/^(?:19|20)\d\d$/u.test(code) && !hasStreet(line, index)) continue
      const [before, after] = [line.slice(0, index), line.slice(index + text.length)]
      const [usual, other] = CITY_FIRST.has(country) ? [cityBefore, cityAfter] : [cityAfter, cityBefore]
      // In a sentence, an address rarely uses the country's less common order of city and postcode.
      const isLine = /\d/u.test(line.replace(text, '')) && (other === cityAfter || /^\s*(?:$|[,;|·•(–—])/u.test(after))
      const read = usual(before, after, country) ?? (isLine ? other(before, after, country) : undefined)
      if (read) return { ...read, address: { ...withoutDistrict(read.address, country), postal_code: code } }
    }
  }
  return undefined
}

/**
 * Returns whether a line with a year-like code has a street with a number, and no word such as `since` before the code.
 */
function hasStreet(line: string, start: number): boolean {
  const [before, after] = [line.slice(0, start), line.slice(start)].map((part) =>
    part.replace(/(?<!\p{N})(?:19|20)\p{N}{2}(?!\p{N})|[$€£¥]\s?\p{N}[\p{N}.,]*/gu, ''),
  ) as [string, string]
  return (
    !/©|\(c\)|copyright/iu.test(line) &&
    !/(?:^|[\s(])\p{Ll}[\p{L}\p{M}.]*\s*$/u.test(line.slice(0, start)) &&
    (/\p{L}{2,}\.?\s+\p{N}|\p{N}\p{L}?\s+\p{L}{2,}/u.test(before) || /\p{L}{2,}\.?\s+\p{N}/u.test(after))
  )
}

/**
 * Splits `Lugano TI` and `São Paulo/SP` into city and region, and drops districts such as `Cedex 02` and `Aarhus C`.
 */
function withoutDistrict({ city = '', ...address }: Address, country: string): Address {
  const [, name, code = ''] = /^(.+)[\s/](\p{Lu}{2,3})$/u.exec(city) ?? []
  if (name && regionIn(code, country)) return { city: name, state: code, ...address }
  const plain = city.replace(/\s+Cedex(?:\s\d+)?$/iu, '')
  if (country === 'IE') return { ...address, city: plain.replace(/^(Dublin)\s\d{1,2}W?$/u, '$1') }
  if (country === 'DK') return { ...address, city: plain.replace(/\s+(?:[CKNSVØ]|[NS][VØ])$/u, '') }
  // Turkish addresses contain the district and the province, which is named after its main city.
  return { ...address, city: country === 'TR' ? (plain.split('/').at(-1) ?? plain) : plain }
}

function cityAfter(before: string, after: string, country: string): Read | undefined {
  const pair = LOWER_CASE_CITIES.has(country) ? TWO_WORDS_AFTER_CODE.exec(after) : undefined
  const city = (pair ?? AFTER_CODE.exec(after))?.groups?.['city']?.replace(/[.’'-]+$/u, '')
  // A country's name after the postcode is not a city, unless a city has the same name.
  if (!city || city.length > 40 || (countryCode(city) && !CITY_COUNTRIES.has(country))) return undefined
  const rest = after.slice(after.indexOf(city) + city.length)
  // A number before a word is rarely a postcode in scripts without capital letters.
  if (CASELESS.test(city) && (CITY_FIRST.has(country) || !/^\s*(?:[,.;|)]|$)/u.test(rest))) return undefined
  const state = rest
    .split(/[,;()|·•]|\s[–—-]\s/u)
    .slice(0, 3)
    .map((part) => regionIn(part, country))
    .find((region) => region !== undefined && fold(region) !== fold(city))
  const street = before
    .replace(/[\s,–—|·-]+$/u, '')
    .split(/\s*[|·•]\s+|:\s+(?!\d+\s*(?:,|$))/u)
    .at(-1)
  return { address: { city, ...(state && { state }) }, country, street: street || undefined }
}

/** Countries whose regions are named after their main cities, so an address contains both a suburb and the city. */
const REGION_OF_CITY = new Set(
  'AE AL BD BH CI DZ EG ET IQ JO KE LB LU LV MA MK MM MT NG NZ OM PE QA RW SA SD SI SN TH TN TR TZ UG VN'.split(' '),
)
/** Vietnamese cities that are not part of a province. */
const MUNICIPALITIES = /^(?:TP\.?\s?)?(?:Hà Nội|Hồ Chí Minh|Đà Nẵng|Hải Phòng|Cần Thơ|Huế)$/u
const DISTRICT = /^(?:quận|phường|huyện|xã|Q\.|P\.)/iu

/** Returns whether a part of an address is a region whose name is not that of the city. */
const isRegionOnly = (region: string, before: string, country: string): boolean =>
  / State$/u.test(region) ||
  (country === 'TR' && !isTurkishCity(region) && !/\d/u.test(before)) ||
  (country === 'VN' && !MUNICIPALITIES.test(region) && !DISTRICT.test(before) && !/\d/u.test(before))

/** City states. */
const CITY_STATES = new Set(['GI', 'HK', 'MC', 'MO', 'SG', 'SM'])
/** Countries that share their name with a city. */
const CITY_COUNTRIES = new Set([...CITY_STATES, 'KW', 'LU', 'PA'])

function cityBefore(before: string, after: string, country: string): Read | undefined {
  // In Canada, the country may stand between the province and the postcode.
  const last = /[,)]\s*([^,)]+?)[\s,–—-]*$/u.exec(before)
  const bare =
    last && countryCode(last[1] ?? '') === country && !CITY_COUNTRIES.has(country)
      ? before.slice(0, last.index + 1).replace(/,$/u, '')
      : before
  return cityIn(bare, after, country)
}

function cityIn(before: string, after: string, country: string): Read | undefined {
  const groups = BEFORE_CODE.exec(before)?.groups
  // Abbreviations such as `BP` precede post office box numbers.
  if (!groups?.['city'] || /^\p{Lu}{1,3}$/u.test(groups['city'])) return undefined
  if (countryCode(groups['city']) && !CITY_COUNTRIES.has(country)) return undefined
  // `Call 12345` and `Ships to Denver 80202` are not addresses.
  if (country === 'US' && (/\s\p{Ll}/u.test(groups['city']) || !/\d/u.test(before))) return undefined
  const { city, region } = groups as { city: string; region?: string }
  const inner = region === undefined ? undefined : regionIn(region, country)
  const isStreet = /\d\s*$/u.test(before.slice(0, before.lastIndexOf(city)))
  const outer = after
    .split(/[,;()|·•]|\s[–—-]\s/u)
    .slice(0, 3)
    .map((part) => regionIn(part, country))
    .find((one) => one !== undefined)
  const isUnknown = inner === undefined && regionIn(city, country) === undefined
  if (region !== undefined && (isUnknown || isStreet || REGION_OF_CITY.has(country))) {
    // The part next to the postcode is the city: `Dunmore Lane, Clonakilty P85 X2Y3`, `12 Tory Street, Te Aro,
    // Wellington 6011`.
    return {
      address: { city: region.trim(), ...(outer && { state: outer }) },
      country,
      street: before.slice(0, before.lastIndexOf(region)).replace(/[\s,–—-]+$/u, ''),
    }
  }
  const state = inner ?? outer
  const start = before.lastIndexOf(city)
  return {
    address: { city, ...(state && { state }) },
    country,
    street: before.slice(0, start).replace(/[\s,–—-]+$/u, '') || undefined,
  }
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

/** Reads `Street 1, Leeds LS10`, an address with the first half of a British postcode. */
function readByArea(line: string): Read | undefined {
  const parts = line.replace(/[.;]$/u, '').split(/\s*,\s*/u)
  const isNamed = countryCode(parts.at(-1) ?? '') === 'GB'
  const [, city, area = ''] = /^(.+?)\s+(\S+)$/u.exec((isNamed ? parts.at(-2) : parts.at(-1)) ?? '') ?? []
  const street = parts.slice(0, isNamed ? -2 : -1).join(', ')
  if (!city || !BRITISH_AREA.test(area) || street === '' || isSentence(street) || !isCityName(city)) return undefined
  return { address: { city, postal_code: area }, country: 'GB', street }
}

/** Words in small letters inside the names of places. */
const IN_PLACES = '(?:d[aeiou]|del|der|des|la|las|le|les|los|of|the|on|upon|sur|am|an|im|in|nad|pod|van|y|i)'
const PROSE = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?<city>${WORD}(?:\s(?:${IN_PLACES}\s){0,2}${WORD}){0,3}),\s(?<region>${WORD}(?:\s(?:${IN_PLACES}\s)?${WORD}){0,2})(?:,\s(?<land>${WORD}(?:\s${WORD}){0,2}))?`,
  'gu',
)

/** Finds the first city in a text that is followed by its region or country, as in `a bakery in Orillia, Ontario`. */
export function placeInProse(text: string, home: string | undefined): Located | undefined {
  for (const { groups = {} } of text.matchAll(PROSE)) {
    const { city = '', region = '', land = '' } = groups
    const country = countryCode(land) ?? (region.length > 2 ? countryCode(region) : undefined) ?? home
    if (!country || city.length > 40 || countryCode(city)) continue
    if (CASELESS.test(city) && city.split(' ').length > MAX_CASELESS_WORDS - 1) continue
    if (/\s(?:St|Ave|Rd|Blvd|Ln|Dr)(?:\s[NSEW]{1,2})?$/u.test(city)) continue
    const state = region.length > 3 ? regionIn(region, country) : undefined
    const isTown = countryCode(land) === country && countryCode(region) === undefined
    // A district precedes the city, as in `Point E, Dakar, Sénégal`.
    if (isTown && (state === undefined || (REGION_OF_CITY.has(country) && !isRegionOnly(region, city, country))))
      return { address: { city: region, country: countryName(country) }, country }
    if (state === undefined && (region.length < 3 || countryCode(region) !== country)) continue
    return {
      address: { city, ...(state && { state: stateName(state, country) }), country: countryName(country) },
      country,
    }
  }
  return undefined
}

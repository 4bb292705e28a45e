import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import type { Address } from '../address.ts'
import { isSentence, parseAddress, streetFrom } from '../address.ts'
import { countryCode, countryName, isUsState } from '../countries.ts'
import { headquartersInText, parsePlace } from '../headquarters.ts'
import { foldPlace as fold, regionIn } from './regions.ts'
import type { Statement } from './statements.ts'

/** An address and its two-letter country code. */
export interface Located {
  address: Address
  country: string
}

const FIRST = String.raw`[\p{Lu}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Georgian}]`
/** A capitalized word. A full stop after more than three letters ends a sentence. */
const WORD = String.raw`(?:${FIRST}[\p{L}\p{M}]{0,2}\.|${FIRST}(?:[\p{L}\p{M}’'-]|\.(?=\p{L}))*)`
const CITY = String.raw`${WORD}(?:[\s/](?:\p{L}{1,5}\s)?(?:${WORD}|\d{1,2}(?=\s|$)))*`
/** Words such as `г.` and `м.` before a city. */
const CITY_WORD = String.raw`(?:\p{Ll}{1,2}\.\s?)?`
const AFTER_CODE = new RegExp(String.raw`^[\s,،]*${CITY_WORD}(?<city>${CITY})`, 'u')
const BEFORE_CODE = new RegExp(
  String.raw`(?:^|[,،;|·•\d)]|[–—-])\s*${CITY_WORD}(?<city>${CITY})(?:\s*(?:[,–—/-]|\()\s*(?<region>${FIRST}[\p{L}. ]{1,24})\)?)?[\s,،–—-]*$`,
  'u',
)
const CODE =
  /(?<![\p{L}\p{N}+(/]|\d{3} |\d-)(?:[A-Z]{1,2}-)?(?:〒\s?)?[A-Z\d][A-Z\d-]{1,8}(?: [A-Z\d]{2,4})?(?![\p{L}\p{N}]|\/\d|\s?[–—]\s?\d{4})/gu
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
const JAPANESE =
  /(?<region>\p{Script=Han}{2,3}?[都道府県])(?<city>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ヶ]{1,6}?[市区町村])/u
const KOREAN =
  /(?<only>[가-힣]{2,5}(?:특별자치시|특별시|광역시))|(?<region>[가-힣]{2,7}도)\s+(?<city>[가-힣]{1,5}[시군구])/u
/** The district that is named after its province's capital is called `เมือง`. */
const THAI =
  /(?:(?:อ\.|อำเภอ)\s?(?!เมือง)(?<district>[\p{L}\p{M}]+)\s+)?(?:จ\.|จังหวัด)\s?(?<province>[\p{L}\p{M}]+)|(?<only>กรุงเทพ(?:มหานคร|ฯ)?)/u
const VIETNAMESE_NAME = String.raw`\p{Lu}\p{L}*(?:\s\p{Lu}\p{L}*){0,3}`
const VIETNAMESE = new RegExp(
  String.raw`\d.*,\s*(?:(?:TP\.?|Thành phố|TX\.?|Thị xã)\s?(?<city>${VIETNAMESE_NAME})|(?<town>${VIETNAMESE_NAME}),\s*[Tt]ỉnh\s(?<region>${VIETNAMESE_NAME}))`,
  'u',
)
/** Hebrew addresses have no postcode and no country. */
const HEBREW = /(?:רחוב|רח['׳]|שדרות|שד['׳]|דרך)\s[^,،]{2,30}\d,\s*(?<city>[\p{L}"״-]+(?:\s[\p{L}"״-]+)?)/u
const CHINESE =
  /(?:中国|中國)?(?<region>\p{Script=Han}{2,3}(?:省|自治区))(?<city>\p{Script=Han}{2,4}?市)|(?<only>北京|上海|天津|重庆|重慶|臺北|台北|新北|桃園|臺中|台中|臺南|台南|高雄)市|(?<=^|[\s:：])(?:(?<zone>\p{Script=Han}{2})(?=(?:工业园区|高新区|经济技术开发区|经济开发区|开发区|新区))|(?<city2>\p{Script=Han}{2,3}市)(?=\p{Script=Han}{1,6}(?:区|區|县|縣|镇|鎮|路|街)))/u

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
    return known
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

type Read = { address: Address; country: string; street?: string | undefined }

/** Matches labels for postal codes. */
const CODE_LABEL =
  /(?<![\p{L}.])(?:CEP|CAP|C\.?\s?P|PLZ|PIN|ZIP|Eircode|Post ?code|Postal code)[.:]*\s+(?=[A-Z]{0,2}-?\d)/giu

function readLine(text: string, home: string | undefined, width: number): Read | undefined {
  if (text.length > 300) return undefined
  const line = text.replace(CODE_LABEL, '').replace(/(\p{L}) \((\d{4,6})\)/gu, '$1 $2')
  const named = namedCountry(line)
  const asian = width === 1 ? readEastAsian(line, home) : undefined
  if (asian) return asian
  for (const country of new Set([named, home].filter((one) => one !== undefined))) {
    const read = readByCode(line, country)
    if (read) return read
  }
  if (width > 1) return undefined
  const british = (named ?? home) === 'GB' ? readByArea(line) : undefined
  if (british) return british
  return (
    (named ? readByParts(line, named) : undefined) ??
    (home ? (readByRegion(line, home) ?? readByStreet(line, home)) : undefined)
  )
}

const STREET_WITH_NUMBER = /\p{L}{2,}\.?,?\s\d{1,4}\s?\p{L}?$|^\d{1,4}\p{L}?,?\s\p{L}{2,}/u

/** Reads `Street 1, City` and `Street 1, City (Region)` without a postal code, region or country. */
function readByStreet(line: string, home: string): Read | undefined {
  if (line.length > 120 || isSentence(line)) return undefined
  const own = line.split(/\s+[·•|]\s+/u).find((part) => /\d/u.test(part)) ?? line
  const parts = own.replace(/[.;]$/u, '').split(/\s*,\s*|\s+[–—-]\s+/u)
  const [, city = '', inner = ''] = /^([^()]+?)(?:\s*\(([^()]+)\))?$/u.exec(parts.at(-1) ?? '') ?? []
  const street = parts.slice(0, -1).join(', ')
  if (parts.length < 2 || parts.length > 5 || !new RegExp(`^${CITY}$`, 'u').test(city)) return undefined
  if (!STREET_WITH_NUMBER.test(street) && !parts.slice(0, -1).some((part) => STREET_WITH_NUMBER.test(part)))
    return undefined
  const state = regionIn(inner, home)
  return { address: { city, ...(state && { state }) }, country: home, street }
}

/** Reads `Street 1, City, Region` without a postal code or country. */
function readByRegion(line: string, home: string): Read | undefined {
  const parts = line.replace(/[.;]$/u, '').split(/\s*[,/]\s*/u)
  const [city, region] = parts.slice(-2)
  const street = parts.slice(0, -2).join(', ')
  if (parts.length < 3 || parts.length > 6 || line.length > 150 || !/\p{N}/u.test(street)) return undefined
  const state = regionIn(region ?? '', home)
  if (!city || !state || !new RegExp(`^${CITY}$`, 'u').test(city)) return undefined
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

function readEastAsian(line: string, home: string | undefined): Read | undefined {
  const japanese = home === 'JP' || /〒/u.test(line) ? JAPANESE.exec(line)?.groups : undefined
  if (japanese) return east('JP', japanese, /〒?\s?(\d{3}-\d{4})/u.exec(line)?.[1])
  const korean = KOREAN.exec(line)?.groups
  if (korean)
    return east('KR', { ...korean, city: korean['only'] ?? korean['city'] }, /(?<!\d)(\d{5})(?!\d)/u.exec(line)?.[1])
  const thai = home === 'TH' ? THAI.exec(line)?.groups : undefined
  if (thai) {
    const { district, province, only } = thai
    const place = district ? { city: district, region: province } : { city: only ?? province }
    return east('TH', place, /(?<!\d)(\d{5})(?!\d)/u.exec(line)?.[1])
  }
  const vietnamese = home === 'VN' ? VIETNAMESE.exec(line)?.groups : undefined
  if (vietnamese)
    return east('VN', { city: vietnamese['city'] ?? vietnamese['town'], region: vietnamese['region'] }, undefined)
  const hebrew = home === 'IL' ? HEBREW.exec(line)?.groups : undefined
  if (hebrew) return east('IL', hebrew, undefined)
  const chinese = home === 'CN' || home === 'TW' ? CHINESE.exec(line)?.groups : undefined
  if (chinese) {
    const { region, city, only, zone, city2 } = chinese
    return east(
      home as string,
      { ...(region && { region }), city: city ?? city2 ?? zone ?? `${only}市` },
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
  if (country === 'DK') return { ...address, city: plain.replace(/\s+(?:[CKNSVØ]|[NS][VØ])$/u, '') }
  // Turkish addresses contain the district and the province, which is named after its main city.
  return { ...address, city: country === 'TR' ? (plain.split('/').at(-1) ?? plain) : plain }
}

function cityAfter(before: string, after: string, country: string): Read | undefined {
  const city = AFTER_CODE.exec(after)?.groups?.['city']?.replace(/[.’'-]+$/u, '')
  // A country's name after the postcode is not a city, unless a city has the same name.
  if (!city || city.length > 40 || (countryCode(city) && !CITY_COUNTRIES.has(country))) return undefined
  const rest = after.slice(after.indexOf(city) + city.length)
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
const REGION_OF_CITY = new Set(['AE', 'BD', 'EG', 'KE', 'NG', 'NZ', 'PE', 'TH', 'TR', 'VN'])
/** City states. */
const CITY_STATES = new Set(['GI', 'HK', 'MC', 'MO', 'SG', 'SM'])
/** Countries that share their name with a city. */
const CITY_COUNTRIES = new Set([...CITY_STATES, 'KW', 'LU', 'PA'])

function cityBefore(before: string, after: string, country: string): Read | undefined {
  // In Canada, the country may stand between the province and the postcode.
  const last = /,\s*([^,]+?)[\s,]*$/u.exec(before)
  const bare =
    last && countryCode(last[1] ?? '') === country && !CITY_COUNTRIES.has(country)
      ? before.slice(0, last.index)
      : before
  return cityIn(bare, after, country)
}

function cityIn(before: string, after: string, country: string): Read | undefined {
  const groups = BEFORE_CODE.exec(before)?.groups
  // Abbreviations such as `BP` precede post office box numbers.
  if (!groups?.['city'] || /^\p{Lu}{1,3}$/u.test(groups['city'])) return undefined
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
  const parts = (own ?? line)
    .replace(/^[\p{L} ]{3,30}:\s+/u, '')
    .replace(/\s+\/\s+/gu, '/')
    .split(/\s*[,،;]\s*/u)
    .filter(Boolean)
  if (parts.length < 3 || parts.length > 6 || (own ?? line).length > 150) return undefined
  const last = parts.findLastIndex((part) => countryCode(part.replace(/\.$/u, '')) === country)
  const region = regionIn(parts[last - 1] ?? '', country)
  // Counties such as Galway have the same name as their main city.
  const isCity =
    region === undefined ||
    REGION_OF_CITY.has(country) ||
    /\d|\b(?:Road|Street|Lane|Quay)$/u.test(parts[last - 2] ?? '')
  const state = isCity ? undefined : region
  const city = CITY_STATES.has(country) ? parts[last] : parts[isCity ? last - 1 : last - 2]
  if (!city || !new RegExp(`^${CITY}$`, 'u').test(city) || isUsState(city)) return undefined
  const street = parts.slice(0, parts.indexOf(city)).join(', ')
  // A street without a number is read only if a building or district precedes it, and if no other country is named.
  const isBuilding = last === parts.length - 1 && parts.indexOf(city) > 1 && !isSentence(street)
  const isList = parts.filter((part) => countryCode(part) !== undefined).length > 1
  if (!/\d/u.test(street) && (!isBuilding || isList)) return undefined
  return { address: withoutDistrict({ city, ...(state && { state }) }, country), country, street }
}

/** Reads `Street 1, Leeds LS10`, an address with the first half of a British postcode. */
function readByArea(line: string): Read | undefined {
  const parts = line.replace(/[.;]$/u, '').split(/\s*,\s*/u)
  const isNamed = countryCode(parts.at(-1) ?? '') === 'GB'
  const [, city, area = ''] = /^(.+?)\s+(\S+)$/u.exec((isNamed ? parts.at(-2) : parts.at(-1)) ?? '') ?? []
  const street = parts.slice(0, isNamed ? -2 : -1).join(', ')
  if (!city || !BRITISH_AREA.test(area) || !/\d/u.test(street) || !new RegExp(`^${CITY}$`, 'u').test(city))
    return undefined
  return { address: { city, postal_code: area }, country: 'GB', street }
}

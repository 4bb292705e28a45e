import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { countryCode } from '../countries.ts'
import { CASELESS, CITY, CITY_COUNTRIES, FIRST } from './city-names.ts'
import { REGION_OF_CITY, withoutDistrict } from './districts.ts'
import type { ReadLine as Read } from './read-local-forms.ts'
import { foldPlace as fold, regionIn } from './regions.ts'

/** Words such as `г.` and `м.` before a city. */
const CITY_WORD = String.raw`(?:\p{Ll}{1,2}\.\s?)?`

/** Countries where the second word of a city, as in `Novo mesto`, often starts with a small letter. */
const LOWER_CASE_CITIES = new Set(['BA', 'CZ', 'HR', 'RS', 'SI', 'SK'])

const TWO_WORDS_AFTER_CODE = /^[\s,]*(?<city>\p{Lu}\p{L}+\s\p{Ll}{4,})(?=\s*(?:,|$))/u

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

/** Reads an address with a postal code of a country. */
export function readByCode(line: string, country: string): Read | undefined {
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

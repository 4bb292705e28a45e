import { readAlternatives } from '../vocabulary/read-words.ts'
import { countryName, isCanadianProvince, isUsState, stateName } from './countries.ts'

/** A city found in a line, with its state, postcode and country, and the address text before the city. */
export interface CityInLine {
  city: string
  state: string
  postal_code: string
  country: string
  before: string
}

const CITY =
  /(?<city>\p{Lu}[\p{Letter} .'’-]{1,60}?),?\s+(?<state>[A-Z]{2}|D\.C|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\.?,?\s+(?<zip>\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![\d-])/gu
/**
 * Matches a street and a city without a comma between them. The street ends with a street type (`Street`, `Ave`), a
 * direction or a suite number.
 */
const STREET_END = new RegExp(
  String.raw`^(?<street>.*\d.*\b(?:(?<!,\s)(?:${readAlternatives('places/street-kinds')})|(?:suite|ste|unit|apt|room|rm|building|bldg|box)\.?\s*#?\s*[\dA-Z-]+|#\s?[\dA-Z-]+)\b\.?(?:\s(?:N|S|E|W|NE|NW|SE|SW)\b\.?)?),?\s+(?<city>\p{Lu}[\p{Letter} .'’-]*)$`,
  'iu',
)
/** Separators between an address and other content in a footer line. */
const APART = /\s*(?:[|•·\\]+|\s[-–—]\s|©|\b(?:19|20)\d\d\b,?|\(?\d{3}\)?[ .-]\d{3}[.-]\d{4})\s*/

/** Finds a US or Canadian address in a line, which may contain other text. Returns undefined if there is none. */
export function findAmericanCity(line: string): CityInLine | undefined {
  for (const { groups = {}, index } of line.matchAll(CITY)) {
    const { city = '', state = '', zip = '' } = groups
    const isUs = /^\d/.test(zip)
    const short = stateName(state.replaceAll('.', ''), isUs ? 'US' : 'CA')
    if (!(isUs ? isUsState(short) : isCanadianProvince(short))) continue
    const whole = `${line.slice(0, index)}${city}`
    const near = whole.split(APART).at(-1)?.trim() ?? ''
    const parted = STREET_END.exec(near)?.groups
    const written = (parted?.['city'] ?? (near.includes(city) ? city : near)).trim()
    // Lower-case words belong to a sentence, not to the city: `Ships to Denver, CO 80202`.
    if (
      written === '' ||
      written.split(' ').some((word) => /^\p{Ll}/u.test(word) && !/^(?:of|de|la|le|du|the|on)$/.test(word))
    )
      continue
    return {
      city: written,
      state: short,
      postal_code: zip,
      country: countryName(isUs ? 'US' : 'CA'),
      before: (parted?.['street'] ?? near.slice(0, Math.max(0, near.length - city.length))).replace(/[,\s]+$/, ''),
    }
  }
  return undefined
}

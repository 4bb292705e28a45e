import { countryCode, countryName, stateName } from '../countries.ts'
import { CASELESS, MAX_CASELESS_WORDS, WORD } from './city-names.ts'
import { isRegionOnly, REGION_OF_CITY } from './districts.ts'
import type { Located } from './read-place.ts'
import { regionIn } from './regions.ts'

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

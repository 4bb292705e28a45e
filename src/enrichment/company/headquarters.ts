import type { Address } from './address.ts'
import { countryCode, countryName, isCanadianProvince, isUsState, stateName } from './countries.ts'

const PLACE = String.raw`(?<city>\p{Lu}[\p{Letter}.'’-]+(?: \p{Lu}[\p{Letter}.'’-]+){0,3}),\s+(?<region>\p{Lu}[\p{Letter}.]*(?: \p{Lu}\p{Letter}+){0,3})`
const HEADQUARTERED = new RegExp(
  String.raw`\b(?:headquartered|(?:head ?quarters|head office)(?: is| are)?(?: located)?|(?:we are|we're|company|firm) based) in (?:downtown |beautiful )?${PLACE}`,
  'u',
)

/** Finds the headquarters in a sentence such as `We are headquartered in Denver, Colorado`. */
export function headquartersInText(line: string): Address | undefined {
  const groups = HEADQUARTERED.exec(line)?.groups
  return groups && placeOf(groups)
}

/**
 * Parses a city with its state or country, such as `Bergen, Norway`. Returns undefined if the state or country is
 * unknown.
 */
export function parsePlace(text: string): Address | undefined {
  const groups = new RegExp(`^${PLACE}$`, 'u').exec(text.trim())?.groups
  return groups && placeOf(groups)
}

function placeOf({ city, region = '' }: Record<string, string | undefined>): Address | undefined {
  const place = region.replace(/\.$/, '')
  const american = stateName(place, 'US')
  const canadian = stateName(place, 'CA')
  if (!city) return undefined
  if (isUsState(american)) return { city, state: american, country: countryName('US') }
  if (isCanadianProvince(canadian)) return { city, state: canadian, country: countryName('CA') }
  const code = countryCode(region)
  return code ? { city, country: countryName(code) } : undefined
}

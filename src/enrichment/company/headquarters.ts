import type { Address } from './address.ts'
import { parseAddress } from './address.ts'
import { countryCode, countryName, isCanadianProvince, isUsState, stateName } from './countries.ts'

/** Matches a label or heading of the headquarters. */
const LABEL =
  /\b(?:(?:corporate |global |world |company )?head ?quarters|head office|main office|principal office|corporate office|hq|hauptsitz|hauptverwaltung|siège social|hoofdkantoor|sede central|sede legale)\b/i
const MAX_LINES = 7

/**
 * Returns the line with the headquarters label and up to six lines after it, if they contain an address; otherwise an
 * empty list.
 */
export function headquartersLines(lines: readonly string[], country: string | undefined): string[] {
  for (const [place, line] of lines.entries()) {
    if (!LABEL.test(line) || line.length > 160) continue
    const rest = lines.slice(place, place + MAX_LINES)
    if (parseAddress(rest, country)) return rest
  }
  return []
}

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

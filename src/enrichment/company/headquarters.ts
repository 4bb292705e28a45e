import type { Address } from './address.ts'
import { parseAddress } from './address.ts'
import { countryCode, countryName, isCanadianProvince, isUsState, stateName } from './countries.ts'

/** A short line that introduces the headquarters: a heading, or a label before the address. */
const SEAT =
  /\b(?:(?:corporate |global |world |company )?head ?quarters|head office|main office|principal office|corporate office|hq|hauptsitz|hauptverwaltung|siège social|hoofdkantoor|sede central|sede legale)\b/i
const AFTER_SEAT = 7

/** The lines about the headquarters on a page that labels one, without those of branches; empty otherwise. */
export function linesOfSeat(lines: readonly string[], country: string | undefined): string[] {
  for (const [place, line] of lines.entries()) {
    if (!SEAT.test(line) || line.length > 160) continue
    const rest = lines.slice(place, place + AFTER_SEAT)
    if (parseAddress(rest, country)) return rest
  }
  return []
}

const PLACE = String.raw`(?<city>\p{Lu}[\p{Letter}.'’-]+(?: \p{Lu}[\p{Letter}.'’-]+){0,3}),\s+(?<region>\p{Lu}[\p{Letter}.]*(?: \p{Lu}\p{Letter}+){0,3})`
const SEATED = new RegExp(
  String.raw`\b(?:headquartered|(?:head ?quarters|head office)(?: is| are)?(?: located)?|(?:we are|we're|company|firm) based) in (?:downtown |beautiful )?${PLACE}`,
  'u',
)

/** The place in `We are headquartered in Denver, Colorado`. */
export function seatInText(line: string): Address | undefined {
  const groups = SEATED.exec(line)?.groups
  return groups && placeOf(groups)
}

/** `Bergen, Norway`; undefined without a known state or country. */
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

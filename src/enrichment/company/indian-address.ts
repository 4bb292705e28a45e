import { readAlternatives } from '../vocabulary/read-words.ts'

const STATES = readAlternatives('places/indian-states')
const CITY = new RegExp(
  String.raw`^(?:(?<before>.*),\s*)?(?<city>(?!(?:${STATES})\b)\p{Lu}[\p{Letter} .'’]{1,40}?)(?:,\s*(?<state>${STATES}))?[\s,]*[-–]?\s*(?<zip>[1-9]\d{2} ?\d{3})\.?(?<after>[\s,(].*)?$`,
  'u',
)
const INDIAN = new RegExp(String.raw`\b(?:India|Delhi|${STATES})\b`, 'u')

/**
 * Reads addresses like `MG Road, Mangalore, Karnataka 575003`. The state, the country or the site's domain must
 * identify India.
 */
export function findIndianCity(
  line: string,
  next: string | undefined,
  isHome: boolean,
): { before: string | undefined; city: string; state: string | undefined; zip: string } | undefined {
  const { before, city, state, zip, after = '' } = CITY.exec(line)?.groups ?? {}
  if (!city || !zip || !(isHome || state || INDIAN.test(after) || INDIAN.test(next ?? ''))) return undefined
  const stated = state ?? new RegExp(String.raw`^[\s,(]*(${STATES})\b`, 'u').exec(after)?.[1]
  return { before, city, state: stated, zip }
}

import { readWords } from '../vocabulary/read-words.ts'

/** Country names and abbreviations that `Intl.DisplayNames` does not provide. */
const ALIASES: Record<string, string> = {
  usa: 'US',
  'u.s.a.': 'US',
  'u.s.': 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'u.k.': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'great britain': 'GB',
  uae: 'AE',
  'the netherlands': 'NL',
  holland: 'NL',
  czechia: 'CZ',
  'republic of ireland': 'IE',
  'hong kong': 'HK',
  turkey: 'TR',
  'south korea': 'KR',
  'سلطنة عمان': 'OM',
  'ivory coast': 'CI',
  'bosnia and herzegovina': 'BA',
  'north macedonia': 'MK',
  'جمهورية العراق': 'IQ',
  'المملكة العربية السعودية': 'SA',
  'المملكة الأردنية الهاشمية': 'JO',
  'دولة الكويت': 'KW',
  'دولة قطر': 'QA',
  'مملكة البحرين': 'BH',
  'جمهورية مصر العربية': 'EG',
}

const LANGUAGES =
  'en de fr es it nl pt sv da pl ja nb fi et lv lt cs sk hu ro hr sl sr bs bg mk ru be uk el tr he ar fa ur hi bn ta te ne ko zh zh-Hant th km lo my si vi id ms ca eu gl is ga cy lb mt sq ka hy az kk ky mn uz am sw'.split(
    ' ',
  )
const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCurrent = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
/** Ignores case, the form of apostrophes, and Arabic vowel signs. */
const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[\u064B-\u0650\u0652]/gu, '')
const codes = new Map<string, string>(Object.entries(ALIASES))
for (const language of LANGUAGES) {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  for (let code = 26 * 26; code-- > 0; ) {
    const letters = String.fromCharCode(65 + Math.floor(code / 26), 65 + (code % 26))
    const name = names.of(letters)
    // `Intl.DisplayNames` also returns names for aliases and withdrawn codes, such as `UK`, `FX` and `HV`.
    if (name && !codes.has(keyOf(name)) && isCurrent(letters)) codes.set(keyOf(name), letters)
  }
}
codes.set('germany', 'DE').set('deutschland', 'DE')

const ISO3: Record<string, string> = {
  USA: 'US',
  GBR: 'GB',
  CAN: 'CA',
  DEU: 'DE',
  FRA: 'FR',
  CHE: 'CH',
  AUS: 'AU',
  NLD: 'NL',
  IRL: 'IE',
  JPN: 'JP',
  SGP: 'SG',
  ESP: 'ES',
  ITA: 'IT',
}

/**
 * Returns a country's two-letter code. Accepts codes and names in common languages. Returns undefined for other text.
 */
export function countryCode(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^[A-Z]{2}$/.test(trimmed)) return trimmed === 'UK' ? 'GB' : english.of(trimmed) ? trimmed : undefined
  if (ISO3[trimmed]) return ISO3[trimmed]
  return codes.get(keyOf(trimmed))
}

/** Returns the English name of a country, as used in records: `Türkiye`, `United Kingdom`. */
export const countryName = (code: string): string => english.of(code) ?? code

/** Reads a word list with lines such as `Alabama AL` into a map from `alabama` to `AL`. */
const byName = (list: string): Map<string, string> =>
  new Map(readWords(list).map((entry) => [entry.slice(0, -3).toLowerCase(), entry.slice(-2)]))
const STATES: Record<string, Map<string, string>> = {
  US: byName('places/us-states'),
  CA: byName('places/canadian-provinces'),
}
const STATE_CODES = new Set(Object.values(STATES).flatMap((states) => [...states.values()]))

export const isUsState = (text: string): boolean => [...(STATES['US']?.values() ?? [])].includes(text)
export const isCanadianProvince = (text: string): boolean => [...(STATES['CA']?.values() ?? [])].includes(text)

/** Returns the two-letter code of a US state or Canadian province. Returns other regions unchanged. */
export function stateName(text: string, country: string | undefined): string {
  const trimmed = text.trim()
  if (STATE_CODES.has(trimmed.toUpperCase()) && country !== 'AU') return trimmed.toUpperCase()
  const known = country ? STATES[country]?.get(trimmed.toLowerCase()) : STATES['US']?.get(trimmed.toLowerCase())
  return known ?? trimmed
}

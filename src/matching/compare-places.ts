import { stateSpellings } from '../companies/us-states.ts'
import { foldAccents } from '../lib/fold-accents.ts'

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const ALIASES: Readonly<Record<string, string>> = {
  usa: 'united states',
  'united states of america': 'united states',
  uk: 'united kingdom',
  england: 'united kingdom',
  'great britain': 'united kingdom',
}

const plain = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/\bsaint\b/g, 'st')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Reports whether both texts name the same city. */
export const isSameCity = (one: string, other: string): boolean => plain(one) === plain(other)

/**
 * Reports whether both texts name the same state or province. The code and the name of a US state are treated as equal.
 */
export const isSameState = (one: string, other: string): boolean => {
  const spellings = stateSpellings(plain(one))
  return spellings.includes(plain(other))
}

/** Reports whether both texts name the same country. Accepts English names and ISO 3166 two-letter codes. */
export const isSameCountry = (one: string, other: string): boolean => countryName(one) === countryName(other)

function countryName(text: string): string {
  const given = plain(text.replaceAll('.', ''))
  if (/^[a-z]{2}$/.test(given)) {
    const name = COUNTRY_NAMES.of(given.toUpperCase())
    if (name !== undefined && given !== 'uk') return plain(name)
  }
  return ALIASES[given] ?? given
}

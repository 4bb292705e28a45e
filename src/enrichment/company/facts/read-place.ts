import type { Address } from '../address.ts'
import { isSentence, parseAddress, streetFrom } from '../address.ts'
import { countryCode, countryName } from '../countries.ts'
import { headquartersInText, parsePlace } from '../headquarters.ts'
import { withoutDistrict } from './districts.ts'
import type { ReadLine as Read } from './read-local-forms.ts'
import { readLocalForm } from './read-local-forms.ts'
import { readByCode } from './read-with-postcode.ts'
import { readWithoutPostcode } from './read-without-postcode.ts'
import type { Statement } from './statements.ts'

/** An address and its two-letter country code. */
export interface Located {
  address: Address
  country: string
}

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
    return { ...known, address: withoutDistrict(known.address, known.country) }
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

/** Matches labels for postal codes. */
const CODE_LABEL =
  /(?<![\p{L}.])(?:CEP|CAP|C\.?\s?P|PLZ|PIN|ZIP|Eircode|Post ?code|Postal code)[.:]*\s+(?=[A-Z]{0,2}-?\d)/giu

function readLine(text: string, home: string | undefined, width: number): Read | undefined {
  if (text.length > 300) return undefined
  const line = text.replace(CODE_LABEL, '').replace(/(\p{L}) \((\d{4,6})\)/gu, '$1 $2')
  const named = namedCountry(line)
  const local = width === 1 ? readLocalForm(line, named ?? home) : undefined
  if (local) return local
  for (const country of new Set([named, home].filter((one) => one !== undefined))) {
    const read = readByCode(line, country)
    if (read) return read
  }
  return width > 1 ? undefined : readWithoutPostcode(line, named, home)
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

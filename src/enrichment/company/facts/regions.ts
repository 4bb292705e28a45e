import regions from 'country-region-data/data.json' with { type: 'json' }
import { foldAccents } from '../../../lib/fold-accents.ts'
import { readWords } from '../../vocabulary/read-words.ts'

/** Normalizes place names for comparison: removes accents and dots, and ignores case. */
export const foldPlace = (text: string): string => foldAccents(text).toLowerCase().replace(/[.’']/gu, '').trim()
/** Names and letter codes of states, provinces and counties, by country. */
const REGIONS = new Map(
  regions.map(({ countryShortCode, regions: all }) => [
    countryShortCode,
    new Set(
      all.flatMap(({ name, shortCode }) => [
        foldPlace(name),
        ...(/^[A-Z]{2,3}$/.test(shortCode ?? '') ? [foldPlace(shortCode ?? '')] : []),
      ]),
    ),
  ]),
)
for (const entry of readWords('places/regions')) {
  const [country = '', name = ''] = [entry.slice(0, 2), entry.slice(3)]
  REGIONS.set(country, (REGIONS.get(country) ?? new Set()).add(foldPlace(name)))
}
/** Countries in which any two capitals denote a province, even if the library's list does not contain the code. */
const WITH_PROVINCE_CODES = new Set(['IT'])
/** Words before a region's name, such as `woj.` and `Co.`. */
const REGION_WORD =
  /^(?:\p{L}{2,10}\.|county|co|province of|prov|provincia(?: de)?|estado de|state of|regi[oó]n(?: del| de)?|comarca de|bundesland|kanton|canton(?: de)?|powiat|jude[tț](?:ul)?|megye)\s+/iu
/** Words that are part of a region's name in addresses, such as `County` in `County Cork`. */
const PART_OF_REGION = /^(?:co\.?|county)\s/iu

/** Returns the region as written, without words such as `woj.`; undefined if the country has no such region. */
export function regionIn(text: string, country: string): string | undefined {
  const written = text.trim().replace(/[.,;]+$/u, '')
  if (written === '' || written.length > 40) return undefined
  const known = REGIONS.get(country)
  const bare = written
    .replace(REGION_WORD, '')
    .replace(/\s+(?:megye|oblast|county|province|prefecture|obl|state|region|län|apskritis|županija|kraj)\.?$/iu, '')
  if (known?.has(foldPlace(written))) return written
  if (bare !== '' && known?.has(foldPlace(bare))) return PART_OF_REGION.test(written) ? written : bare
  if (WITH_PROVINCE_CODES.has(country) && /^[A-Z]{2}$/.test(written)) return written
  return /^\p{L}[\p{L}\s-]+(?:обл(?:асть|\.)?|край|kraj|省|都|府|県|道|도|州|\sմարզ|\sоблысы|\sобласы)$|^Республика \p{Lu}\p{L}+$/u.test(
    written,
  )
    ? written
    : undefined
}

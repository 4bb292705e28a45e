import { foldAccents } from '../../../lib/fold-accents.ts'
import { parseName } from '../names/parse-name.ts'

/**
 * Returns a comparison key for names: lower-case letters without honorifics or credentials. For example, `Dr Jane Doe,
 * CFA` and `JANE DOE` have the same key.
 */
export function nameKey(text: string): string {
  const name = (parseName(text)?.full_name ?? text)
    .replace(/,.*$/s, (tail) => (/^,\s*\p{Lu}[\p{L}.-]+$/u.test(tail) && !/^,\s*[A-Z]{2,}®?$/.test(tail) ? tail : ''))
    .replace(/[®™]/g, '')
  return foldAccents(name)
    .replace(/^((mr|mrs|ms|dr|prof|sir|herr|frau|dipl|ing|med|mag)\b[.-]?\s*)+/i, '')
    .replace(/\s[A-Z]{2,5}$/, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}

import { readWordSet } from '../vocabulary/read-words.ts'
import { isForeignKey } from './script-audience.ts'
import type { Fields } from './script-records.ts'

const TYPE_KEYS = ['__typename', '_type', 'type', 'kind']
/** Matches field names that are typical of customer, author, article and product records. */
const FOREIGN_FIELD =
  /^(?:company|org|organi[sz]ation|employer|affiliation|firma|f[oö]retag|empresa|entreprise|soci[eé]t[eé]|bedrijf|azienda|virksomhed|yritys|unternehmen|quote|zitat|citat|citation|citazione|cytat|testimonial|depoimento|rating|stars|bewertung|review|excerpt|extracto|published\w*|date|price|precio|preis|prix|prezzo|prijs|preco|cena|hinta|fiyat|sku|isbn)$/i
const QUOTATION = /^\s*["“„«»‚‘「『].{20}/su
const AMOUNT =
  /^\s*(?:from |ab |à partir de |desde )?(?:[€$£¥₩₹₺]\s?\d|\d[\d\s.,']*\s?(?:[€$£¥₩₹₺]|z[lł]|kr|k[cč]|ft|usd|eur|gbp|chf)(?!\p{L}))/iu
const LEGAL_FORMS = readWordSet('companies/legal-forms')
/** Maximum length of a text that is searched for an employer, and of the prefix that is searched for an amount. */
const MAX_LENGTH = 120
/** Minimum share of records in which a field identifies people outside the company. */
const MOST = 0.6

/** Returns whether a record's type denotes people outside the company. */
export const isForeignType = (fields: Fields): boolean => TYPE_KEYS.some((key) => isForeignKey(fields.get(key) ?? ''))

/**
 * Returns whether the records' fields are typical of customers, authors, articles or products: a field has a typical
 * key, or most of its values are quotations, amounts of money or different employers.
 */
export function areForeign(records: readonly Fields[], keys: readonly string[]): boolean {
  return keys.some((key) => {
    if (FOREIGN_FIELD.test(key)) return true
    const values = records.map((fields) => fields.get(key) ?? '')
    const isMost = (count: number): boolean => count >= records.length * MOST
    const employers = values.map(employerIn).filter((employer) => employer !== null)
    return (
      isMost(values.filter((value) => QUOTATION.test(value)).length) ||
      isMost(values.filter((value) => AMOUNT.test(value.slice(0, MAX_LENGTH))).length) ||
      (isMost(employers.length) && new Set(employers).size > 1)
    )
  })
}

/** Returns the employer at the end of a text, such as a title, identified by its legal form; null if there is none. */
function employerIn(text: string): string | null {
  if (text.length > MAX_LENGTH) return null
  const employer = text.split(/[,@|–]|\sat\s/u).findLast((part) => part.trim() !== '') ?? ''
  const words = employer.trim().replace(/\.$/u, '').split(/\s+/u)
  const hasForm = [1, 2, 3].some((count) => count < words.length && LEGAL_FORMS.has(words.slice(-count).join(' ')))
  return hasForm ? words.join(' ') : null
}

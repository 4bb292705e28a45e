import { foldAccents } from '../../../lib/fold-accents.ts'
import { readWords } from '../../vocabulary/read-words.ts'

/**
 * Normalizes a link's text for comparison: converts it to lower case and removes accents, arrows and words such as
 * `our` and `meet`.
 */
export const plainLinkText = (text: string): string =>
  foldAccents(text.toLowerCase())
    .replace(/[\s›»→>]+$/, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .replace(/^(?:(?:meet |our |the |latest |company ){1,2})(?=\S)/, '')

/** Reads a list of link texts, normalized for comparison. */
export const readLinkTexts = (list: string): ReadonlySet<string> => new Set(readWords(list).map(plainLinkText))

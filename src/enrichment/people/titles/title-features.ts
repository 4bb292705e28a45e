import { foldAccents } from '../../../lib/fold-accents.ts'
import { bucketOf } from '../../classifier/classifier.ts'

/** Number of hash buckets for features. */
export const TITLE_BUCKETS = 2 ** 15

const MAX_WORDS = 10
/** Scripts in which one letter can be a word, or words are not separated. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/**
 * Returns the hashed features of a job title: its words and their n-grams without accents, pairs of neighboring words,
 * and the first and last word. Beginnings and endings of words are marked, because they carry the rank in many
 * languages (`-leiter`, `-chef`, `ved-`, `-長`).
 */
export function titleFeatures(title: string): number[] {
  const words = foldAccents(title.toLowerCase())
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
  const found = new Set<number>()
  const add = (feature: string): void => void found.add(bucketOf(feature, TITLE_BUCKETS))
  for (const [place, word] of words.entries()) {
    const letters = [...`^${word.slice(0, 24)}$`]
    add(`W${word}`)
    for (let size = DENSE.test(word) ? 1 : 2; size <= 5; size += 1)
      for (let at = 0; at + size <= letters.length; at += 1) add(letters.slice(at, at + size).join(''))
    const next = words[place + 1]
    if (next !== undefined) add(`P${word} ${next}`)
  }
  add(`F${words[0] ?? ''}`)
  add(`L${words.at(-1) ?? ''}`)
  add(`N${Math.min(words.length, 5)}`)
  return [...found]
}

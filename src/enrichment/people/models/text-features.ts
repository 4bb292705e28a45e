import { foldAccents } from '../../../lib/fold-accents.ts'
import { bucketOf } from '../../classifier/classifier.ts'

/** Number of hash buckets for features. */
export const BUCKETS = 2 ** 15

const MAX_WORDS = 8

/**
 * Returns the hashed features of a short text: n-grams of its words without accents, positional n-grams of the first
 * and last word, whole words, and the shape of the text. Features do not depend on word lists, so the model generalizes
 * to other languages.
 */
export function featuresOf(text: string): number[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS)
  const found = new Set<number>()
  const add = (feature: string): void => void found.add(bucketOf(feature, BUCKETS))
  words.forEach((word, place) => {
    const plain = `^${foldAccents(word).toLowerCase().slice(0, 24)}$`
    const letters = [...plain]
    for (let size = 2; size <= 4; size++)
      for (let at = 0; at + size <= letters.length; at++) {
        const gram = letters.slice(at, at + size).join('')
        add(gram)
        if (size > 2 && place === 0) add(`F${gram}`)
        if (size > 2 && place > 0 && place === words.length - 1) add(`L${gram}`)
      }
    add(`W${plain}`)
  })
  for (const shape of shapesOf(text, words)) add(`S${shape}`)
  return [...found]
}

function shapesOf(text: string, words: readonly string[]): string[] {
  const capitalized = words.filter((word) => /^\p{Lu}/u.test(word)).length
  return [
    `words ${Math.min(words.length, 7)}`,
    `capitals ${Math.min(words.length, 4)} ${capitalized === words.length ? 'all' : capitalized === 0 ? 'none' : 'some'}`,
    `case ${words.map(caseOf).slice(0, 4).join('')}`,
    `script ${scriptOf(text)} ${Math.min([...text].length, 12)}`,
    `marks ${/[&/]/u.test(text) ? 'joined' : ''}${/,/u.test(text) ? 'comma' : ''}${/\d/u.test(text) ? 'digit' : ''}`,
    ...(/\p{Lu}\./u.test(text) ? ['initial'] : []),
    ...(/\p{L}-\p{Lu}/u.test(text) ? ['hyphen before a capital'] : []),
    ...(/\p{M}|[^\p{ASCII}]/u.test(text) ? ['accent'] : []),
  ]
}

const caseOf = (word: string): string =>
  /^\p{Lu}[\p{Lu}.]+$/u.test(word) ? 'A' : /^\p{Lu}/u.test(word) ? 'C' : /^\p{Ll}/u.test(word) ? 'l' : 'o'

const SCRIPTS: [string, RegExp][] = [
  ['latin', /\p{Script=Latin}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['han', /\p{Script=Han}/u],
  ['hangul', /\p{Script=Hangul}/u],
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['greek', /\p{Script=Greek}/u],
]

const scriptOf = (text: string): string => SCRIPTS.find(([, script]) => script.test(text))?.[0] ?? 'other'

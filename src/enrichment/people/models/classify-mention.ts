import { foldAccents } from '../../../lib/fold-accents.ts'
import type { ClassifierWeights } from '../../classifier/classifier.ts'
import { bucketOf, createClassifier } from '../../classifier/classifier.ts'
import { readWeights } from './text-model.ts'

/** Classes of a name's mention: the words around the name describe one of the company's people (`own`), or not. */
export const MENTION_KINDS = ['own', 'other'] as const

export type MentionKind = (typeof MENTION_KINDS)[number]

/** Number of hash buckets for features. */
export const MENTION_BUCKETS = 2 ** 16

/** The texts around a name. */
export interface Mention {
  /** Text before and after the name on its line. */
  before: string
  after: string
  /** The lines above and below. */
  above: string
  below: string
  /** The nearest heading. */
  heading: string
}

const create = (weights: ClassifierWeights) => createClassifier(MENTION_KINDS, weights)

let classify = create(readWeights<ClassifierWeights>('weights-mentions.json'))

/** Returns the probability that the words around a name describe one of the company's people. */
export const ownMention = (mention: Mention): number => classify(mentionFeatures(mention)).own

/** Replaces the model, so that dependent models can be trained on texts that this model has not seen. */
export function useMentionModel(weights: ClassifierWeights): void {
  classify = create(weights)
}

const NEAR = 3
const WORDS = 8
const STEM = 5

/** Returns the hashed words around a name: whole words and their first letters, by side and distance. */
export function mentionFeatures({ before, after, above, below, heading }: Mention): number[] {
  const found = new Set<number>()
  const add = (side: string, words: readonly string[]): void =>
    words.forEach((word, at) => {
      const stem = word.slice(0, STEM)
      for (const feature of [`${side} ${word}`, `${side} ${stem}*`, `${side}${at < NEAR} ${word}`, `${stem}*`])
        found.add(bucketOf(feature, MENTION_BUCKETS))
    })
  add('before', wordsOf(before).slice(-WORDS).toReversed())
  add('after', wordsOf(after).slice(0, WORDS))
  add('above', wordsOf(above).slice(-WORDS).toReversed())
  add('below', wordsOf(below).slice(0, WORDS))
  add('heading', wordsOf(heading).slice(0, WORDS))
  return [...found]
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/u

/** Returns the words of a text; pairs of letters in scripts without spaces. */
const wordsOf = (text: string): string[] =>
  foldAccents(text)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .flatMap((word) => (UNSPACED.test(word) ? pairsOfLetters([...word]) : word.replace(/\d/gu, '0')))

const pairsOfLetters = (letters: readonly string[]): string[] =>
  letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)

import { foldAccents } from '../../../../lib/fold-accents.ts'
import { bucketOf } from '../../../classifier/classifier.ts'
import { readWordSet } from '../../../vocabulary/read-words.ts'
import { plainLinkText, readLinkTexts } from '../link-text.ts'

/** Number of hash buckets for features. */
export const BUCKETS = 2 ** 14

/** The part of the site that contains a link. */
export type LinkRegion = 'navigation' | 'footer' | 'body' | 'sitemap'

/** A link, as input to the classifier. */
export interface LinkContext {
  /** The link's text, title, label or image description; empty for URLs from a sitemap. */
  text: string
  /** Parts of the path, decoded and without file extensions. */
  parts: readonly string[]
  /** Whether the URL has a query. */
  hasQuery: boolean
  region: LinkRegion
}

/** Word lists used as features. Link texts are compared with `TEXTS`, and words in paths with `WORDS`. */
const TEXTS = ['team', 'about', 'contact', 'news', 'elsewhere'].map(
  (list) => [list, readLinkTexts(`links/${list}`)] as const,
)
const WORDS = ['team', 'about', 'contact', 'news'].map((list) => [list, readWordSet(`links/${list}-words`)] as const)

const MAX_WORDS = 8
const MAX_WORD_LENGTH = 24

/**
 * Returns a link's hashed features: n-grams and words from its text and the last part of its path, words from the
 * folder, the position and shape, and the word lists that contain it. `withLists: false` omits the lists, so that
 * training does not depend on them.
 */
export function featuresOf(
  { text, parts, hasQuery, region }: LinkContext,
  { withLists = true }: { withLists?: boolean } = {},
): number[] {
  const found = new Set<number>()
  const add = (feature: string): void => void found.add(bucketOf(feature, BUCKETS))
  const words = wordsOf(text)
  const last = wordsOf(parts.at(-1) ?? '')
  for (const [side, each] of [
    ['T', words],
    ['P', last],
  ] as const)
    for (const word of each)
      for (const gram of gramsOf(word)) {
        // Each n-gram is also added without a prefix, so that a text learned from menus is recognized in a path.
        add(gram)
        add(`${side}${gram}`)
      }
  for (const word of parts.slice(0, -1).flatMap(wordsOf)) add(`folder ${word}`)
  add(`region ${region}`)
  add(`depth ${Math.min(parts.length, 4)}`)
  add(`words ${Math.min(words.length, 6)} ${Math.min(last.length, 6)}`)
  if (text !== '' && text === text.toLowerCase()) add('lower case')
  if (/\d/.test(text)) add('digit in text')
  if (/\d/.test(parts.at(-1) ?? '')) add('digit in path')
  if (hasQuery) add('query')
  if (withLists) {
    const plain = { T: plainLinkText(text), P: plainLinkText((parts.at(-1) ?? '').replace(/[-_]+/g, ' ')) }
    for (const [side, each] of Object.entries(plain)) {
      for (const [list, texts] of TEXTS) if (texts.has(each)) add(`list ${side} ${list}`)
      for (const [list, listed] of WORDS)
        if (each.split(/[^\p{L}\p{N}]+/u).some((word) => listed.has(word))) add(`word ${side} ${list}`)
    }
  }
  return [...found]
}

/** Splits a text into words in lower case, without accents. In a script without spaces, the whole text is one word. */
const wordsOf = (text: string): string[] =>
  foldAccents(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD_LENGTH))

function gramsOf(word: string): string[] {
  const letters = [...`^${word}$`]
  const grams = [`W${word}`]
  // Two characters can be a word in scripts without spaces, but not in alphabets.
  for (let size = /[^\p{Script=Latin}\p{N}]/u.test(word) ? 2 : 3; size <= 5; size++)
    for (let at = 0; at + size <= letters.length; at++) grams.push(letters.slice(at, at + size).join(''))
  return grams
}

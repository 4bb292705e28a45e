import { readFileSync } from 'node:fs'
import { foldAccents } from '../../../lib/fold-accents.ts'

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Words that connect the words of a kind of business. Shorter words are skipped because of their length. */
const CONNECTING = new Set(
  'and av cho dan das degli del dell della delle der des din en et for fra fran from fur het les los och og para pentru per pour sau the und und van voor with za για'.split(
    ' ',
  ),
)
const MIN_WORD = 3
/** Minimum lengths of a beginning and of a part of a compound that are compared. */
const MIN_STEM = 5
const MIN_PART = 5
/** Number of final letters in which inflected forms may differ. */
const ENDING = 3
const MAX_KNOWN = 20_000

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const fold = (text: string): string => foldAccents(text).toLowerCase()
const normalize = (phrase: string): string =>
  fold(phrase)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

const PHRASES = new Set<string>()
const WORDS = new Set<string>()
const STEMS = new Set<string>()
for (const line of readFileSync(new URL('../naics/kinds.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n'))
  for (const phrase of line.split('\t').slice(2)) {
    PHRASES.add(normalize(phrase))
    for (const word of splitWords(phrase)) {
      WORDS.add(word)
      if (!UNSPACED.test(word) && word.length >= MIN_STEM + 1)
        STEMS.add(word.slice(0, Math.max(MIN_STEM, word.length - ENDING)))
    }
  }

function splitWords(phrase: string): string[] {
  return normalize(phrase)
    .split(' ')
    .flatMap((word) =>
      UNSPACED.test(word)
        ? [...segmenter.segment(word)].map(({ segment }) => segment).filter(({ length }) => length > 1)
        : [word],
    )
    .filter((word) => (UNSPACED.test(word) || word.length >= MIN_WORD) && !CONNECTING.has(word))
}

/** How a word occurs in the list of kinds of businesses: unchanged, in another form, or as a part of a compound. */
export type KindWord = 'word' | 'form' | 'part' | 'none'

const known = new Map<string, KindWord>()

/** Returns whether a word occurs in the kinds of businesses in `kinds.tsv`, in about 40 languages. */
export function kindWord(word: string): KindWord {
  const found = known.get(word) ?? lookUp(normalize(word))
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(word, found)
  return found
}

function lookUp(word: string): KindWord {
  if (CONNECTING.has(word)) return 'none'
  if (WORDS.has(word)) return 'word'
  if (UNSPACED.test(word) || word.length < MIN_STEM) return 'none'
  for (let length = word.length; length >= Math.max(MIN_STEM, word.length - ENDING - 1); length--)
    if (STEMS.has(word.slice(0, length))) return 'form'
  for (let at = MIN_PART - 1; at <= word.length - MIN_PART; at++)
    if (WORDS.has(word.slice(at)) || (at >= MIN_PART && WORDS.has(word.slice(0, at)))) return 'part'
  return 'none'
}

/** Returns whether a phrase is one of the kinds of businesses, or contains one. */
export function kindPhrase(phrase: string): 'exact' | 'inside' | 'none' {
  const text = normalize(phrase)
  if (PHRASES.has(text)) return 'exact'
  const words = text.split(' ')
  for (let from = 0; from < words.length; from++)
    for (let to = words.length; to > from; to--)
      if (to - from < words.length && PHRASES.has(words.slice(from, to).join(' '))) return 'inside'
  return 'none'
}

import { foldAccents } from '../../../lib/fold-accents.ts'
import { isEnglishWord } from '../../vocabulary/ordinary-words.ts'
import { readWordSet } from '../../vocabulary/read-words.ts'
import { readSymbols } from '../text/symbols.ts'
import { tokenize } from '../text/tokens.ts'

/** A way to write the company's name. */
export interface NameVariant {
  /** Its words in lower case; `and` and `&` are left out. */
  words: string[]
  /**
   * How well the words identify the company: `full` (the whole name, several words, one of them rare), `distinct` (the whole name, one rare
   * word), `short` (part of the name, or only common words: counts next to an event) or `common` (one common word or a description: counts only
   * with corroboration).
   */
  weight: 'full' | 'distinct' | 'short' | 'common'
  /** The name contains a comma: `Ridley, Cho & Partners`. */
  listed?: boolean
}

/** Words of legal forms, lower case without dots. */
const LEGAL = readWordSet('companies/legal-form-words')
/** Words for what a company does or is, such as `capital` and `bank`. */
export const DESCRIPTORS = readWordSet('companies/descriptors')
/** Descriptors shared by thousands of companies. */
const VAGUE = readWordSet('companies/vague-descriptors')
/** Names shared by hundreds of companies. */
const POPULAR = readWordSet('companies/popular-names')

/** Words of a name: lower case, without accents, punctuation, `and` and domain endings. */
export function nameWords(name: string): string[] {
  return tokenize(name.replace(/\.(?:com|io|ai|co|net|org)\b/giu, ''))
    .map((token) => foldAccents(token.key))
    .filter((word) => word !== '?' && word !== '!' && word !== 'and')
}

/** The names as headlines write them: without the legal form, without trailing descriptors, or only the rare first word. Longest first. */
export function nameVariants(names: readonly string[]): NameVariant[] {
  const variants = new Map<string, NameVariant>()
  const add = (words: string[], whole: boolean, listed = false) => {
    const key = words.join(' ')
    if (words.length > 0 && !variants.has(key))
      variants.set(key, { words, weight: weightOf(words, whole), ...(listed && { listed }) })
  }
  for (const name of names) {
    const words = nameWords(name)
    while (words.length > 1 && LEGAL.has(words.at(-1) as string)) words.pop()
    if (words.length > 1 && words[0] === 'the') words.shift()
    add(words, true, /,.+(?:&|\band\b)/iu.test(name))
    if (words.length > 2 && isRareWord(words[0] as string)) add(words.slice(0, 2), false)
    const short = [...words]
    while (short.length > 1 && DESCRIPTORS.has(short.at(-1) as string)) {
      short.pop()
      add([...short], false)
    }
    const [first] = words
    // In `Kessel & Vane` each word is a family name and does not identify the firm.
    if (first !== undefined && words.length > 1 && isRareWord(first) && !/&|\band\b/iu.test(name)) add([first], false)
  }
  return [...variants.values()].toSorted((a, b) => b.words.length - a.words.length)
}

function weightOf(words: string[], whole: boolean): NameVariant['weight'] {
  const distinctive = words.filter((word) => !DESCRIPTORS.has(word))
  if (words.length === 1) {
    const [word = ''] = words
    if (!isRareWord(word) || isEnglishWord(word, 50)) return 'common'
    return whole ? 'distinct' : 'short'
  }
  // Three letters are an abbreviation, which counts only with another word.
  const rare = distinctive.some((word) => isRareWord(word, 3))
  if (rare) return whole ? 'full' : 'short'
  if (distinctive.length >= 2) return whole ? 'short' : 'common'
  // Fewer companies share both words of `Summit Therapeutics` than of `Summit Financial`.
  return whole && words.some((word) => DESCRIPTORS.has(word) && !VAGUE.has(word)) ? 'short' : 'common'
}

const NOTHING: ReadonlySet<string> = new Set()

/** Whether the word is neither everyday language, a headline word, a place, a given name nor a popular company name. */
export function isRareWord(word: string, shortest = 4): boolean {
  if (word.length < shortest || /^\d+$/u.test(word) || POPULAR.has(word) || POPULAR.has(word.replace(/s$/u, '')))
    return false
  if (isEnglishWord(word, 20)) return false
  const { symbols } = readSymbols([{ key: word, capital: true, acronym: false }], NOTHING)
  return symbols[0] === 'ENT'
}

/** `Inc`, `GmbH`, `S.A.` */
export function isLegalForm(word: string): boolean {
  return LEGAL.has(word.replaceAll('.', ''))
}

import { stemmer } from 'stemmer'
import { readWordSet } from '../../vocabulary/read-words.ts'
import { baseForm } from './base-form.ts'
import type { Token } from './tokens.ts'
import { tokenize } from './tokens.ts'
import { WORD_CLASSES } from './word-classes.ts'

/**
 * A headline as a sequence of symbols. A symbol is a word class (`ACQUIRE`), a mask (`#money`), `PERSON`, `ENT` for
 * another name, a stem, or `_` for a word that is not in the training data.
 */
export interface Reading {
  symbols: string[]
  stems: string[]
  /** The symbol of each token, without merging phrases and names. */
  labels: string[]
}

interface Phrase {
  keys: string[]
  label: string
}

/**
 * Words that belong to a class only in all capitals, because in lower case they are ordinary words, such as `it` and
 * `us`.
 */
const ACRONYMS = new Set('us it mas asa ag md occ eu'.split(' '))
/** Words that belong to a class only if they are capitalized, because they are ordinary words in lower case. */
const NAMES = new Set(
  'dow orion epic chambers commonwealth cambridge clio harvey adobe edison dynamo rust claude gemini sage reading fed mali turkey china'.split(
    ' ',
  ),
)

const stemOf = (key: string): string => (/^[a-z]+$/u.test(key) ? stemmer(key) : key)

/** Given names that identify a person in a headline. Excludes common words and company names. */
const given = readWordSet('headlines/given-names')
export const isGivenName = (word: string): boolean => given.has(word)

const phrases = indexPhrases()

/** Indexes phrases by their first word. The longest phrases come first. */
function indexPhrases(): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>()
  const claimed = new Set<string>()
  for (const { label, words } of WORD_CLASSES) {
    for (const entry of words) {
      const keys = tokenize(entry).map((token) => baseForm(token.key))
      const [first] = keys
      const id = keys.join(' ')
      if (first === undefined || claimed.has(id)) continue
      claimed.add(id)
      index.set(first, [...(index.get(first) ?? []), { keys, label }])
    }
  }
  for (const list of index.values()) list.sort((a, b) => b.keys.length - a.keys.length)
  return index
}

/**
 * Converts tokens to symbols. `known` contains the stems that have weights in the model; it is null during training,
 * which collects the stems.
 */
export function readSymbols(tokens: Token[], known: ReadonlySet<string> | null): Reading {
  const stems = tokens.map((token) => stemOf(token.key))
  const bases = tokens.map((token) => baseForm(token.key))
  const symbols: string[] = []
  const words: string[] = []
  const labels: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token
    const stem = stems[at] as string
    const phrase = phraseAt(bases, tokens, at)
    if (phrase) {
      symbols.push(phrase.label)
      words.push(...stems.slice(at, at + phrase.keys.length))
      for (const _ of phrase.keys) labels.push(phrase.label)
      at += phrase.keys.length
      continue
    }
    at += 1
    if (token.capital && given.has(token.key) && tokens[at]?.capital) {
      symbols.push('PERSON')
      labels.push('PERSON', 'PERSON')
      // The next word is the family name, even if it also has another meaning.
      at += 1
      continue
    }
    const symbol = symbolOf(token, stem, known)
    labels.push(symbol)
    if (symbol === 'ENT' && symbols.at(-1) === 'ENT') continue
    symbols.push(symbol)
    if (symbol !== 'ENT' && symbol !== '_') words.push(stem)
  }
  return { symbols, stems: words, labels }
}

function phraseAt(bases: string[], tokens: Token[], at: number): Phrase | undefined {
  return phrases.get(bases[at] as string)?.find((phrase) => {
    if (phrase.keys.length === 1) return isSpeltAsMeant(tokens[at] as Token)
    return phrase.keys.every((key, offset) => bases[at + offset] === key)
  })
}

function isSpeltAsMeant({ key, capital, acronym }: Token): boolean {
  return ACRONYMS.has(key) ? acronym : capital || !NAMES.has(key)
}

function symbolOf(token: Token, stem: string, known: ReadonlySet<string> | null): string {
  // `maskNames` has already replaced the company's name with `#name`.
  if (token.key === '#name') return 'ENT'
  if (token.key.startsWith('#')) return token.key
  if (/^\d/u.test(token.key)) return '#num'
  if (known === null) return token.capital ? `^${stem}` : stem
  if (known.has(stem)) return stem
  return token.capital ? 'ENT' : '_'
}

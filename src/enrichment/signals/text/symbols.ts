import { stemmer } from 'stemmer'
import { baseForm } from './base-form.ts'
import { EVENT_WORDS } from './events.ts'
import { GIVEN_NAMES, THING_WORDS } from './things.ts'
import type { Token } from './tokens.ts'
import { tokenize } from './tokens.ts'

/**
 * A headline as a row of symbols: a word class (`ACQUIRE`), a mask (`#money`), `PERSON`, `ENT` for a name, a stem, or `_` for a
 * word never seen in training. `stems` keeps the words beside it.
 */
export interface Reading {
  symbols: string[]
  stems: string[]
}

interface Phrase {
  keys: string[]
  label: string
}

/** Read as a class only when each letter is a capital: a title makes capitals of `it` and `us` too. */
const ACRONYMS = new Set('us it mas asa ag md occ eu'.split(' '))
/** Read as a class only with a capital: in lower case they are other words. */
const NAMES = new Set(
  'dow orion epic chambers commonwealth cambridge clio harvey adobe edison dynamo rust claude gemini sage reading fed mali turkey china'.split(
    ' ',
  ),
)

const stemOf = (key: string): string => (/^[a-z]+$/u.test(key) ? stemmer(key) : key)

export const EVENT_CLASSES: ReadonlySet<string> = new Set(Object.keys(EVENT_WORDS))
const given = new Set(GIVEN_NAMES)
export const isGivenName = (word: string): boolean => given.has(word)

const phrases = indexPhrases({ ...EVENT_WORDS, ...THING_WORDS })

function indexPhrases(classes: Readonly<Record<string, string>>): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>()
  const claimed = new Set<string>()
  for (const [label, words] of Object.entries(classes)) {
    for (const entry of words.split(',')) {
      const keys = tokenize(entry.trim()).map((token) => baseForm(token.key))
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

/** `known`: the stems that the model has weights for; null while they are being collected. */
export function readSymbols(tokens: Token[], known: ReadonlySet<string> | null): Reading {
  const stems = tokens.map((token) => stemOf(token.key))
  const bases = tokens.map((token) => baseForm(token.key))
  const symbols: string[] = []
  const words: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token
    const stem = stems[at] as string
    const phrase = phraseAt(bases, tokens, at)
    if (phrase) {
      symbols.push(phrase.label)
      words.push(...stems.slice(at, at + phrase.keys.length))
      at += phrase.keys.length
      continue
    }
    at += 1
    if (token.capital && given.has(token.key) && tokens[at]?.capital) {
      symbols.push('PERSON')
      // The family name belongs to the person, whatever else the word may mean.
      at += 1
      continue
    }
    const symbol = symbolOf(token, stem, known)
    if (symbol === 'ENT' && symbols.at(-1) === 'ENT') continue
    symbols.push(symbol)
    if (symbol !== 'ENT' && symbol !== '_') words.push(stem)
  }
  return { symbols, stems: words }
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
  // What maskNames puts in place of the company's own name.
  if (token.key === '#name') return 'ENT'
  if (token.key.startsWith('#')) return token.key
  if (/^\d/u.test(token.key)) return '#num'
  if (known === null) return token.capital ? `^${stem}` : stem
  if (known.has(stem)) return stem
  return token.capital ? 'ENT' : '_'
}

import { foldAccents } from '../../../lib/fold-accents.ts'
import { readWordSet } from '../../vocabulary/read-words.ts'
import { signalModel } from '../classify/model.ts'
import { readSymbols } from '../text/symbols.ts'
import { cleanHeadline, tokenize } from '../text/tokens.ts'
import { EVENT_CLASSES } from '../text/word-classes.ts'
import { DOMAIN_SUFFIX, isLegalForm } from './company-names.ts'

/** A word in a headline, with information about adjacent punctuation that ends or joins names. */
export interface Word {
  key: string
  capital: boolean
  /** Whether the word is in all capitals: `CEO`, `IPO`. */
  acronym: boolean
  /** Whether the word is followed by punctuation that ends a name. */
  stop: boolean
  /** Whether a hyphen joins the word to the next word. */
  tied: boolean
  /** Whether the word is followed by `and` or `&`. */
  and: boolean
  /** Whether the word is in the possessive: `Acme's`. */
  possessive: boolean
}

const INITIALS = /^(?:\p{L}\.)+\p{L}$/u

/** Returns a word as in `nameWords`: `J.P` is `jp`, and `Larchwood.com` is `larchwood`. */
const nameKey = (word: string): string => {
  const key = foldAccents(word.toLowerCase())
  return INITIALS.test(key) ? key.replaceAll('.', '') : key.replace(DOMAIN_SUFFIX, '')
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of cleanHeadline(text).matchAll(
    /([\p{L}\p{N}][\p{L}\p{N}'&+.]*|&)(['’]s?)?([-–]?)([^\p{L}\p{N}&]*)/gu,
  )) {
    const [, raw = '', owner, tie = '', gap = ''] = match
    const bare = raw.replace(/'s$|['.]+$/u, '')
    if (/^(?:&|and)$/iu.test(bare)) {
      const previous = words.at(-1)
      if (previous) previous.and = true
      continue
    }
    words.push({
      key: nameKey(bare),
      capital: /^\p{Lu}|^\d/u.test(bare) || /\p{Lu}/u.test(bare),
      acronym: /^\p{Lu}{2,}s?$/u.test(bare),
      stop: /[,;:.!?()"|–—]/u.test(gap) || (raw !== bare && bare.length > 1 && !INITIALS.test(bare)),
      tied: tie !== '' && gap === '',
      and: false,
      possessive: owner !== undefined || /['’]s$/u.test(raw),
    })
  }
  return words
}

/**
 * Returns whether nearly all longer words are capitalized. In a headline in title case, capitalization does not
 * identify names.
 */
export function isTitleCase(words: Word[]): boolean {
  const long = words.filter((word) => word.key.length > 3)
  return long.filter((word) => word.capital).length >= long.length * 0.8
}

/** Returns whether the word belongs to an event class or names a position, such as `CEO`. */
export function isEventful(word: string): boolean {
  const { symbols } = readSymbols(tokenize(word.toUpperCase().slice(0, 1) + word.slice(1)), signalModel().known)
  return symbols.some(isEvent)
}

/** Verbs that identify the company as the subject but belong to no event class. */
export const COMPANY_VERBS = readWordSet('headlines/company-verbs')

/** Matches words that can occur between an event word and the name of a party. */
export const LINK =
  /^(?:by|with|to|into|for|from|of|as|in|at|on|firm|adviser|maker|startup|ria|group|company|chain|rival)$/u
export const isEvent = (symbol: string): boolean =>
  EVENT_CLASSES.has(symbol) || symbol === 'ROLE' || symbol === 'FOUNDER'

export function symbolsOf(words: Word[]): string[] {
  const text = words.map((word) => word.key).join(' ')
  return readSymbols(tokenize(text), signalModel().known).symbols
}

/**
 * Returns the index after a legal form or a word for a division of the company, as in `Acme Ltd fined` and `Acme unit
 * to build`.
 */
export function afterForms(words: Word[], end: number): number {
  const key = words[end]?.key
  return key !== undefined && (isLegalForm(key) || /^(?:holdings?|unit|arm|division|subsidiary)$/u.test(key))
    ? afterForms(words, end + 1)
    : end
}

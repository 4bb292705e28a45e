import { foldAccents } from '../../../lib/fold-accents.ts'
import { signalModel } from '../classify/model.ts'
import { EVENT_CLASSES, readSymbols } from '../text/symbols.ts'
import { cleanHeadline, tokenize } from '../text/tokens.ts'

/** A word of a headline, with what around it ends or joins names. */
export interface Word {
  key: string
  capital: boolean
  /** Of capitals alone: `CEO`, `IPO`. */
  acronym: boolean
  /** The mark that follows, if any: it ends a name. */
  stop: boolean
  /** Tied to the next word by a hyphen. */
  tied: boolean
  /** An `and` or `&` follows. */
  and: boolean
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of cleanHeadline(text).matchAll(
    /([\p{L}\p{N}][\p{L}\p{N}'&+.]*|&)(['’]s?)?([-–]?)([^\p{L}\p{N}&]*)/gu,
  )) {
    const [, raw = '', , tie = '', gap = ''] = match
    const bare = raw.replace(/'s$|['.]+$/u, '')
    if (/^(?:&|and)$/iu.test(bare)) {
      const previous = words.at(-1)
      if (previous) previous.and = true
      continue
    }
    words.push({
      key: foldAccents(bare.toLowerCase()),
      capital: /^\p{Lu}|^\d/u.test(bare) || /\p{Lu}/u.test(bare),
      acronym: /^\p{Lu}{2,}s?$/u.test(bare),
      stop: /[,;:.!?()"|–—]/u.test(gap) || raw !== bare,
      tied: tie !== '' && gap === '',
      and: false,
    })
  }
  return words
}

/** Every longer word begins with a capital, so that capitals tell no names. */
export function isTitleCase(words: Word[]): boolean {
  const long = words.filter((word) => word.key.length > 3)
  return long.filter((word) => word.capital).length >= long.length * 0.8
}

/** What companies do or have done to them, or a post at one. */
export function isEventful(word: string): boolean {
  const { symbols } = readSymbols(tokenize(word.toUpperCase().slice(0, 1) + word.slice(1)), signalModel().known)
  return symbols.some(isEvent)
}

/** What a company does that is no event by itself, but shows that the name is its subject. */
export const COMPANY_VERBS =
  /^(?:closes?|posts?|reports?|forms?|names?|picks?|hires?|opens?|adds?|gets?|wins?|takes?|plans?|makes?|brings?|grows?|sees|eyes|makes?|lands?|plots|gains|doubles|triples|creates|offers|tests|signs?|strikes|selects|moves|goes|turns|becomes|extends|strengthens|receives|secures|prepares|leads|lifts|promotes|unveils|serves|says|loses|cuts|set|absorbs?|drops?|lists?|meets?|needs?|positions?|presents?|prices?|quits?|sheds?|unites?|wants?)$/u

/** Leads from an event to the name of a party. */
export const LINK =
  /^(?:by|with|to|into|for|from|of|as|in|at|on|firm|adviser|maker|startup|ria|group|company|chain|rival)$/u
export const isEvent = (symbol: string): boolean =>
  EVENT_CLASSES.has(symbol) || symbol === 'ROLE' || symbol === 'FOUNDER'

export function symbolsOf(words: Word[]): string[] {
  const text = words.map((word) => word.key).join(' ')
  return readSymbols(tokenize(text), signalModel().known).symbols
}

import { readWordSet } from '../../vocabulary/read-words.ts'
import { isGivenName } from '../text/symbols.ts'
import type { NameVariant } from './company-names.ts'
import { DESCRIPTORS, isLegalForm, isRareWord } from './company-names.ts'
import type { Word } from './headline-words.ts'
import { afterForms, COMPANY_VERBS, isEvent, isEventful, isTitleCase, LINK, symbolsOf } from './headline-words.ts'
import type { Doubt } from './passing-mention.ts'
import { passingMention } from './passing-mention.ts'

/** A mention of the company in a headline. */
export interface Found {
  variant: NameVariant
  /** Index of the mention's first word. */
  at: number
  /** Doubt about the mention; null if there is none. */
  doubt: Doubt | null
}

/** Words that can be in lower case within a name: `First National Bank of Alton`. */
const INSIDE_NAMES: ReadonlySet<string> = new Set([
  'of',
  'the',
  'for',
  'in',
  'on',
  'to',
  'at',
  'by',
  'with',
  'a',
  'de',
  'du',
  'la',
  'von',
  'van',
])

/**
 * Finds the best mention of one of the names. A mention consists of whole, capitalized words and is not part of a
 * longer name. Tries longer spellings first. A shorter spelling cannot match at a position where a longer spelling is in
 * doubt. Returns a doubtful mention only if there is no other.
 */
export function findName(words: Word[], variants: NameVariant[]): Found | undefined {
  let doubted: Found | undefined
  const doubtedAt = new Set<number>()
  for (const variant of variants) {
    for (let at = 0; at + variant.words.length <= words.length; at += 1) {
      const end = at + variant.words.length
      if (doubtedAt.has(at) || !isWritten(words.slice(at, end), variant)) continue
      const doubt = namesake(words, at, end, variant, variants) ?? passingMention(words, at, end)
      if (!doubt) return { variant, at, doubt: null }
      doubtedAt.add(at)
      doubted ??= { variant, at, doubt }
    }
  }
  return doubted
}

function isWritten(words: Word[], variant: NameVariant): boolean {
  return words.every(
    (word, at) =>
      word.key === variant.words[at] &&
      (word.capital || INSIDE_NAMES.has(word.key) || (variant.lower === true && at === 0)) &&
      (at === words.length - 1 || !word.stop || word.possessive || variant.listed === true),
  )
}

/** Returns the reason the words belong to another name; null if they do not. */
function namesake(words: Word[], at: number, end: number, variant: NameVariant, variants: NameVariant[]): Doubt | null {
  const before = words[at - 1]
  const after = words[end]
  const last = words[end - 1] as Word
  const name = variant.words.join(' ')
  if (after?.capital && !last.stop && !last.and && !isLegalForm(after.key) && !isHolding(after.key, variant)) {
    const ours = variants.some(
      (one) => one.words.length > variant.words.length && one.words[variant.words.length] === after.key,
    )
    const continues =
      DESCRIPTORS.has(after.key) ||
      (isTitleCase(words) ? isRareWord(after.key) && !COMPANY_VERBS.has(after.key) : !isEventful(after.key))
    // In sentence case, a capitalized word continues the name: `Harbor Freight Tools recalls jacks`.
    const longer = !isTitleCase(words) && !isEventful(after.key) && !after.acronym && /^\p{L}/u.test(after.key)
    const place = PLACES_AND_BODIES.has(after.key) || isFirstWordOfSubject(words, end, variant)
    if (!ours && (place || DESCRIPTORS.has(after.key) || (variant.weight !== 'full' && continues) || longer))
      return { kind: 'longer name', reason: `"${name} ${after.key}" is another name` }
  }
  if (before && variant.words.length === 1 && (FORM_OF_ADDRESS.test(before.key) || isSecondWord(before)))
    return { kind: 'second word', reason: `"${before.key} ${name}" is another name` }
  if (before?.capital && !before.stop && isPersonal(before, variant))
    return { kind: 'person', reason: `"${before.key} ${name}" is a person` }
  // In title case, the verb looks like part of the name: `Ridgeway Partners With Hospital`.
  if (last.key === 'partners' && after?.key === 'with' && isTitleCase(words))
    return {
      kind: 'verb',
      reason: `"partners with" may be the verb of another company named "${variant.words[0]}"`,
    }
  if (variant.words.length === 1 && after && isDoneByPeople(words.slice(end), variant))
    return { kind: 'done by people', reason: `"${name} ${after.key}" is about a person with this name` }
  if (variant.weight === 'short' && !hasEventBeside(words, at, end))
    return { kind: 'no event', reason: `"${name}" is not next to an event` }
  return null
}

/** Returns whether the word makes the name that of the group's parent, as in `Acme Holdings`. */
const isHolding = (word: string, { weight, words }: NameVariant): boolean =>
  (weight !== 'common' || words.length > 1) && /^holdings?$/u.test(word)

/**
 * Returns whether the word after the name is followed by a verb. A word before a verb belongs to a longer name:
 * `Clearwater Paper Posts Loss`.
 */
function isFirstWordOfSubject(words: Word[], end: number, variant: NameVariant): boolean {
  const [next, verb] = words.slice(end, end + 2)
  if (variant.weight === 'full' || !next || !verb || next.stop || next.and) return false
  const acts = ({ key }: Word) => COMPANY_VERBS.has(key) || isEventful(key)
  if (['NATION', 'PLACE'].includes(symbolsOf([next])[0] ?? '')) return false
  return !acts(next) && acts(verb)
}

/** Matches words after a name that indicate a place or a public body: `Northgate Mall`, `Harlan County`. */
const PLACES_AND_BODIES = readWordSet('headlines/places-and-bodies')

/** Matches verbs whose subject is usually a person. */
const PERSONAL =
  /^(?:appointed|promoted|elected|elevated|retires|retired|resigns|resigned|quits|ousted|sacked|succeeds|dies|jailed|steps)$/u

/**
 * Returns whether the subject is a person, as in `Carver named principal` and `Carver scores twice`. Verbs such as
 * `elected` count only if the name is ambiguous.
 */
function isDoneByPeople([verb, ...rest]: Word[], { weight }: NameVariant): boolean {
  const key = verb?.key ?? ''
  if (ONLY_PEOPLE.test(key) || ((weight === 'short' || weight === 'common') && PERSONAL.test(key))) return true
  return key === 'named' && POST.test(rest[0]?.key ?? '')
}
const ONLY_PEOPLE = /^(?:dies|jailed|arrested|weds|marries|scores|retires|resigns|quits)$/u
const POST =
  /^(?:principal|coach|captain|mayor|dean|mascot|ambassador|chair\w*|president|director|ceo|cfo|head|editor|manager|judge|professor)$/u

/**
 * Returns whether the capitalized word before a one-word name belongs to another name, as in `Wood Carver Opens`. Verbs
 * and descriptors before the name do not belong to another name.
 */
function isSecondWord(before: Word): boolean {
  const says =
    COMPANY_VERBS.has(before.key) ||
    LINK.test(before.key) ||
    PREPOSITION.test(before.key) ||
    DESCRIPTORS.has(before.key) ||
    isEventful(before.key)
  return before.capital && !before.stop && !before.and && !says && !TRADE.test(before.key)
}

const PREPOSITION =
  /^(?:about|after|against|amid|behind|between|beyond|despite|inside|near|over|than|through|towards?|under|versus|via|vs|within|without)$/u

/** Matches descriptors before a name, such as `Builder`, `Insurer` or `Startup`. */
const TRADE =
  /(?:er|or|ist)s?$|^(?:the|based|startup|brand|giant|chain|platform|unit|unicorn|spinout|charity|nonprofit|airline|app|agency)$/u
const FORM_OF_ADDRESS =
  /^(?:mr|mrs|ms|dr|sir|dame|lord|lady|coach|sheriff|mayor|senator|sen|governor|gov|rep|judge|justice|pastor|rev|chef|captain|capt|sgt|officer|detective|professor|prof)$/u

/**
 * Returns whether the preceding word indicates that the name is a person's, as in `Ann Corliss`: a given name, or a
 * rare word before a one-word name.
 */
function isPersonal(before: Word, variant: NameVariant): boolean {
  return isGivenName(before.key) || (variant.weight === 'short' && variant.words.length === 1 && isRareWord(before.key))
}

/** Returns whether the name is the subject (`Acme buys`) or the object (`buys Acme`, `stake in Acme`) of an event. */
function hasEventBeside(words: Word[], at: number, last: number): boolean {
  const end = afterForms(words, last)
  const next = words[end]
  if (
    next &&
    (COMPANY_VERBS.has(next.key) ||
      symbolsOf(words.slice(end, end + 3))
        .slice(0, 1)
        .some(isEvent))
  )
    return true
  if (next?.key === 'to' && (at === 0 || isEvent(symbolsOf(words.slice(end + 1, end + 4))[0] ?? ''))) return true
  const ahead = symbolsOf(words.slice(Math.max(0, at - 4), at))
  const previous = words[at - 1]?.key ?? ''
  return (
    isEvent(ahead.at(-1) ?? '') ||
    (LINK.test(previous) && ahead.some(isEvent)) ||
    (words[at - 1]?.and === true && ahead.some(isEvent))
  )
}

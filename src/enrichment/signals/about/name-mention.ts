import { isGivenName } from '../text/symbols.ts'
import type { NameVariant } from './company-names.ts'
import { DESCRIPTORS, isLegalForm, isRareWord } from './company-names.ts'
import type { Word } from './headline-words.ts'
import { COMPANY_VERBS, isEvent, isEventful, isTitleCase, LINK, symbolsOf } from './headline-words.ts'
import { passing } from './passing-mention.ts'

/** Where a headline names the company. */
export interface Found {
  variant: NameVariant
  /** Place of its first word. */
  at: number
  /** Why the mention does not count, if it does not. */
  refusal: string | null
}

/** Small words that stay in lower case within a name: `First National Bank of Alton`. */
const INSIDE_NAMES: ReadonlySet<string> = new Set(['of', 'the', 'for', 'in', 'on', 'de', 'du', 'la', 'von', 'van'])

/**
 * The best mention of one of the names: whole words, written as a name, and not a part of a longer one. Longer variants are looked
 * for first, and what was refused as such is not taken for a shorter one.
 */
export function findName(words: Word[], variants: NameVariant[]): Found | undefined {
  let refused: Found | undefined
  const settled = new Set<number>()
  for (const variant of variants) {
    for (let at = 0; at + variant.words.length <= words.length; at += 1) {
      const end = at + variant.words.length
      if (settled.has(at) || !isWritten(words.slice(at, end), variant)) continue
      const refusal = namesake(words, at, end, variant, variants) ?? passing(words, at, end)
      if (!refusal) return { variant, at, refusal: null }
      settled.add(at)
      refused ??= { variant, at, refusal }
    }
  }
  return refused
}

function isWritten(words: Word[], variant: NameVariant): boolean {
  return words.every(
    (word, at) =>
      word.key === variant.words[at] &&
      (word.capital || INSIDE_NAMES.has(word.key)) &&
      (at === words.length - 1 || !word.stop || variant.listed === true),
  )
}

/** The name goes on before or after: another company's. */
function namesake(
  words: Word[],
  at: number,
  end: number,
  variant: NameVariant,
  variants: NameVariant[],
): string | null {
  const before = words[at - 1]
  const after = words[end]
  const last = words[end - 1] as Word
  const name = variant.words.join(' ')
  if (after?.capital && !last.stop && !last.and && !isLegalForm(after.key)) {
    const ours = variants.some(
      (one) => one.words.length > variant.words.length && one.words[variant.words.length] === after.key,
    )
    const goesOn =
      DESCRIPTORS.has(after.key) || isRareWord(after.key) || (!isTitleCase(words) && !isEventful(after.key))
    // `Harbor Freight Tools recalls jacks`: where capitals tell names, the name has one more word.
    const longer = !isTitleCase(words) && !isEventful(after.key) && !after.acronym && /^\p{L}/u.test(after.key)
    const place = PLACES_AND_BODIES.has(after.key) || isFirstWordOfSubject(words, end, variant)
    if (!ours && (place || DESCRIPTORS.has(after.key) || (variant.weight !== 'full' && goesOn) || longer))
      return `"${name} ${after.key}" is another name`
  }
  if (
    variant.weight !== 'full' &&
    before?.capital &&
    !before.stop &&
    !before.and &&
    at > 1 &&
    isRareWord(before.key) &&
    !TRADE.test(before.key)
  )
    return `"${before.key} ${name}" is another name`
  if (before && variant.words.length === 1 && (FORM_OF_ADDRESS.test(before.key) || isSecondWord(before)))
    return `"${before.key} ${name}" is another name`
  if (before?.capital && !before.stop && isPersonal(before, variant)) return `"${before.key} ${name}" is a person`
  // `Ridgeway Partners With Hospital`: in capitals the verb looks like the end of a name.
  if (last.key === 'partners' && after?.key === 'with' && isTitleCase(words))
    return `"${name} with" may be what another ${variant.words[0]} does`
  if (variant.words.length === 1 && after && isDoneByPeople(words.slice(end), variant))
    return `"${name} ${after.key}": a person of that name`
  if (variant.weight === 'short' && !hasEventBeside(words, at, end)) return `"${name}" stands by no event`
  return null
}

/** `Clearwater Paper Posts Loss`: between less than a whole name and what happens stands one more word, so the name is longer. */
function isFirstWordOfSubject(words: Word[], end: number, variant: NameVariant): boolean {
  const [next, verb] = words.slice(end, end + 2)
  if (variant.weight === 'full' || !next || !verb || next.stop || next.and) return false
  const acts = ({ key }: Word) => COMPANY_VERBS.test(key) || isEventful(key)
  return !acts(next) && acts(verb)
}

/** `Northgate Mall`, `Harlan County`: what bears the name is a place, or something that belongs to one. */
const PLACES_AND_BODIES: ReadonlySet<string> = new Set(
  `street avenue road lane drive boulevard square plaza mall station airport park beach bay lake river creek island mountain peak valley ridge ranch hill hills heights county city town township village police fire high elementary middle
  apartments towers community residents parish cathedral church bridge tunnel stadium arena cup festival marathon golf legends`.split(
    /\s+/u,
  ),
)

/** What is done to people, or by them, and never by a company. */
const PERSONAL =
  /^(?:appointed|promoted|elected|elevated|retires|retired|resigns|resigned|quits|ousted|sacked|succeeds|dies|jailed|steps)$/u

/** `Carver named principal`, `Carver scores twice`; a rare whole name may still be elected to something. */
function isDoneByPeople([verb, ...rest]: Word[], { weight }: NameVariant): boolean {
  const key = verb?.key ?? ''
  if (ONLY_PEOPLE.test(key) || (weight === 'short' && PERSONAL.test(key))) return true
  return key === 'named' && POST.test(rest[0]?.key ?? '')
}
const ONLY_PEOPLE = /^(?:dies|jailed|arrested|weds|marries|scores|retires|resigns|quits)$/u
const POST =
  /^(?:principal|coach|captain|mayor|dean|mascot|ambassador|chair\w*|president|director|ceo|cfo|head|editor|manager|judge|professor)$/u

/** `Wood Carver Opens`: a capital before a name of one word, and neither what happens nor what the company is. */
function isSecondWord(before: Word): boolean {
  const says =
    COMPANY_VERBS.test(before.key) || LINK.test(before.key) || DESCRIPTORS.has(before.key) || isEventful(before.key)
  return before.capital && !before.stop && !before.and && !says && !TRADE.test(before.key)
}

/** `Builder`, `Insurer`, `Startup`: what a company is, before its name. */
const TRADE =
  /(?:er|or|ist)s?$|^(?:the|based|startup|brand|giant|chain|platform|unit|unicorn|spinout|charity|nonprofit|airline|app|agency)$/u
const FORM_OF_ADDRESS =
  /^(?:mr|mrs|ms|dr|sir|dame|lord|lady|coach|sheriff|mayor|senator|sen|governor|gov|rep|judge|justice|pastor|rev|chef|captain|capt|sgt|officer|detective|professor|prof)$/u

/** `Ann Corliss`: a given name, or an unknown one before a word that is less than the company's whole name. */
function isPersonal(before: Word, variant: NameVariant): boolean {
  return isGivenName(before.key) || (variant.weight === 'short' && variant.words.length === 1 && isRareWord(before.key))
}

/** The name is the subject of what happens (`Acme buys`), or its object (`buys Acme`, `stake in Acme`). */
function hasEventBeside(words: Word[], at: number, last: number): boolean {
  const end = afterForms(words, last)
  const next = words[end]
  if (
    next &&
    (COMPANY_VERBS.test(next.key) ||
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

/** Past `Inc.` and past what acts for the company: `Acme Ltd fined`, `Acme unit to build`. */
function afterForms(words: Word[], end: number): number {
  const key = words[end]?.key
  return key !== undefined && (isLegalForm(key) || /^(?:unit|arm|division|subsidiary)$/u.test(key))
    ? afterForms(words, end + 1)
    : end
}

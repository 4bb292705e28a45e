import { foldAccents } from '../../../lib/fold-accents.ts'
import { squeeze } from '../own-name.ts'
import { conceptsOf } from './concepts.ts'
import type { Features } from './decide.ts'
import { decode } from './decode.ts'
import type { SiteText, Span } from './site-text.ts'
import { isOwnName, othersIn, sentenceOf } from './site-text.ts'
import type { Statement } from './statements.ts'

const WORDS_LEFT = 6
const WORDS_RIGHT = 5
const MAX_WORD = 24
/** Maximum lengths of the line above a bare number and of the text below it. */
const MAX_LABEL = 40
const MAX_EVENT = 120
/** Number of lines above a sentence that may name its subject. */
const LINES_ABOVE = 3
const NUMBER = /(?<!\p{N})\p{N}[\p{N}.,]*/u

/**
 * Returns the features of a number or year: letter n-grams of the surrounding words, which also cover inflected and
 * unseen words, the meanings of known words, and properties of the sentence.
 */
export function contextFeatures(site: SiteText, span: Span): Features {
  const { statement, at, start, end } = span
  const { text: sentence, from } = sentenceOf(span)
  const left = sentence.slice(0, start - from)
  const right = sentence.slice(end - from)
  const isBare = left.trim().length + right.trim().length < 4
  // A bare number's label is on the line above it or in the text below it, as in a timeline.
  const [above, below] = [
    [-1, MAX_LABEL],
    [1, MAX_EVENT],
  ].map(([step, length]) => {
    const near = site.statements[at + (step as number)]
    return isBare && near?.page === statement.page && near.text.length <= (length as number) ? near.text : ''
  }) as [string, string]
  const words = [
    // Words beyond another number belong to that number. The company's name is removed, because it is not evidence
    // about a number.
    ...grams(
      'L',
      wordsOf(withoutOwnName(site, `${above} ${left}`.split(NUMBER).at(-1) ?? ''))
        .slice(-WORDS_LEFT)
        .toReversed(),
    ),
    ...grams('R', wordsOf(withoutOwnName(site, `${right} ${below}`.split(NUMBER)[0] ?? '')).slice(0, WORDS_RIGHT)),
    ...grams('K', wordsOf(statement.label).slice(0, 5)),
    ...pathOf(site, statement).map((word) => `U${word}`),
  ]
  const subject = subjectFeatures(site, span, sentence, left)
  const shapes = [
    ...subject,
    ...conceptFeatures(`${above} ${left}`, `${right} ${below}`, statement.label, whoseOf(subject)),
    `area ${statement.area}`,
    `after ${/[^\s\p{L}\p{N}]?$/u.exec(left.trimEnd())?.[0]} before ${/^[^\s\p{L}\p{N}]?/u.exec(right.trimStart())?.[0]}`,
    ...(isBare ? ['bare'] : [`under ${subjectAbove(site, statement, at)}`]),
    ...placeInSentence(site, span, sentence, left),
    ...(isInDate(left, right) ? ['in a date'] : []),
    ...(/^\s+\p{Lu}/u.test(right) ? ['before a capital'] : []),
    ...(statement.page === 0 ? ['home'] : []),
    ...(site.names.size === 0 ? ['unnamed site'] : []),
    ...(wordsOf(left).length === 0 ? ['first in its sentence'] : []),
    statement.label === '' ? 'no label' : 'label',
  ]
  return { shapes, words }
}

/** Words in a sentence that is prose. */
const PROSE_WORDS = 6

/** Returns features of the place of a number in its sentence and on its page. */
function placeInSentence(site: SiteText, { statement, at }: Span, sentence: string, left: string): string[] {
  const others = sentence.slice(0, left.length).match(new RegExp(NUMBER, 'gu')) ?? []
  const quote = Math.max(...['“', '„', '«', '»', '"', '‘', '「', '『'].map((mark) => statement.text.indexOf(mark)))
  const next = site.statements[at + 1]
  return [
    (sentence.match(/\p{L}+/gu) ?? []).length >= PROSE_WORDS || UNSPACED.test(sentence) ? 'prose' : 'fragment',
    `number ${Math.min(others.length, 2)} of the sentence`,
    ...(left.lastIndexOf('(') > left.lastIndexOf(')') ? ['in parentheses'] : []),
    ...(quote >= 0 ? ['in a quotation'] : []),
    // The author of a quotation is named below it.
    ...(next?.page === statement.page && /^[–—―-]\s*\p{Lu}/u.test(next.text) ? ['above an attribution'] : []),
  ]
}

/** Returns whom a sentence is about, judged by the names in it. */
const whoseOf = (subject: readonly string[]): string =>
  subject.some((one) => /^(?:inside other|other organisation)/u.test(one))
    ? 'other'
    : subject.includes('own name before')
      ? 'own'
      : subject.includes('foreign names 0')
        ? 'unnamed'
        : 'named'

/** Ends of clauses, including other numbers. */
const CLAUSE = /[,;:()–—·|、，；：（）]|(?<!\p{N})\p{N}[\p{N}.,]*/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
/** Number of letters next to a number that count as a word in scripts without spaces. */
const UNSPACED_WORD = 4
/** Number of words next to a number that are near it. */
const NEAR_WORDS = 2

/**
 * Returns the meanings of the words around a number, by distance: next to it, in the same clause, or in the same
 * sentence. `whose` says whom the sentence is about.
 */
function conceptFeatures(left: string, right: string, label: string, whose: string): string[] {
  const [before, after] = [left.split(CLAUSE), right.split(CLAUSE)]
  const sides: [string, string[], string[]][] = [
    ['L', nearest(before.at(-1) ?? '', true), before.slice(0, -1).flatMap(wordsOf)],
    ['R', nearest(after[0] ?? '', false), after.slice(1).flatMap(wordsOf)],
  ]
  const found = sides.flatMap(([side, clause, beyond]) => [
    ...clause.slice(0, 1).flatMap((word) => named(`${side} next`, word)),
    ...clause.slice(0, NEAR_WORDS).flatMap((word) => named(`${side} near`, word)),
    ...clause.flatMap((word) => named(`${side} clause`, word)),
    ...beyond.flatMap((word) => named(`${side} beyond`, word)),
  ])
  const all = new Set([...found, ...wordsOf(label).flatMap((word) => named('K', word))])
  return [...all].flatMap((one) => [one, `${one} ${whose}`])
}

const named = (place: string, word: string): string[] => conceptsOf(word).map((concept) => `${place} ${concept}`)

/** Returns the words of a clause, nearest to the number first. */
function nearest(clause: string, isBefore: boolean): string[] {
  const words = isBefore ? wordsOf(clause).toReversed() : wordsOf(clause)
  const [first = ''] = words
  if (first.length <= UNSPACED_WORD || !UNSPACED.test(first)) return words
  const [near, rest] = isBefore
    ? [first.slice(-UNSPACED_WORD), first.slice(0, -UNSPACED_WORD)]
    : [first.slice(0, UNSPACED_WORD), first.slice(UNSPACED_WORD)]
  return [near, near, rest, ...words.slice(1)]
}

/** Returns the words in the path of a statement's page. */
function pathOf({ pages }: SiteText, { page }: Statement): string[] {
  const url = pages[page]?.url
  return url === undefined ? [] : wordsOf(foldAccents(decode(new URL(url).pathname)).toLowerCase())
}

/** Returns whether a number is part of a date such as `May 6, 2025`, `le 6 mai 2025`, `2025-05-06` or `2025年5月6日`. */
const isInDate = (left: string, right: string): boolean =>
  /(?:\p{L}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?|(?<!\p{N})\d{1,2}(?:\.|º|er|-?го)?\s+(?:de\s+)?\p{L}{3,}\.?(?:\s+de)?|\p{N}[./-])\s*$/u.test(
    left,
  ) || /^(?:[./-]\p{N}|,\s+(?:19|20)\d\d|\s?[年년]\s?\d)/u.test(right)

/** Returns features that indicate whether the sentence is about the company or about another subject. */
function subjectFeatures(site: SiteText, { statement }: Span, sentence: string, left: string): string[] {
  const open = left.lastIndexOf('(')
  const isInside = open > left.lastIndexOf(')')
  const subject = isInside ? left.slice(0, open) : left
  const names = capitalizedRuns(subject)
  const own = names.some((name) => isOwnName(site, name))
  const foreign = names.filter((name) => !isOwnName(site, name))
  return [
    ...(isInside ? [`inside ${own ? 'own' : names.length > 0 ? 'other' : 'unnamed'}`] : []),
    ...(own ? ['own name before'] : []),
    ...(othersIn(site, sentence).length > 0 ? ['other organisation'] : []),
    ...(othersIn(site, statement.label).length > 0 ? ['other organisation in label'] : []),
    ...(squeeze(sentence).length > 0 && isOwnName(site, sentence) ? ['own name'] : []),
    `foreign names ${Math.min(foreign.length, 2)}`,
  ]
}

/** Returns the subject of the short lines above in the same block, such as a person's name on a card. */
function subjectAbove(site: SiteText, { page, block }: Statement, at: number): string {
  for (let above = at - 1; above >= Math.max(0, at - LINES_ABOVE); above--) {
    const near = site.statements[above] as Statement
    if (near.page !== page || near.block !== block || near.text.length > MAX_LABEL) return 'none'
    const subject = subjectOf(site, near.text)
    if (subject !== 'none') return subject
  }
  return 'none'
}

const CAPITALIZED = /\p{Lu}[\p{L}\p{N}&'’.-]*(?:\s+(?:\p{Ll}{1,3}\s+)?\p{Lu}[\p{L}\p{N}&'’.-]*)*/gu

const withoutOwnName = (site: SiteText, text: string): string =>
  text.replace(CAPITALIZED, (run) => (isOwnName(site, run) ? '' : run))

/** Returns runs of capitalized words, except a single capitalized word at the start of the text. */
function capitalizedRuns(text: string): string[] {
  const runs = [...text.matchAll(CAPITALIZED)]
  return runs.filter(({ 0: run, index }) => index > 0 || /\s/u.test(run)).map(([run]) => run)
}

/**
 * Returns the subject of a text, determined by the last run of capitalized words: `own` for the company's name, `other`
 * for any other run of several words.
 */
export function subjectOf(site: SiteText, text: string): 'own' | 'other' | 'none' {
  const last = capitalizedRuns(text).findLast((name) => /\s/u.test(name) || isOwnName(site, name))
  return last === undefined ? 'none' : isOwnName(site, last) ? 'own' : 'other'
}

/** Words of letters. */
export const lettersOf = (text: string): string[] => text.match(/[\p{L}\p{M}'’]+/gu) ?? []

/** Number of the site's pages on which a candidate occurs. */
export function spreadOf({ pages: { length } }: SiteText, pages: ReadonlySet<number | undefined>): string {
  if (length === 1) return 'pages only'
  return `pages ${pages.size === 1 ? 'one' : pages.size >= length - 1 ? 'all' : 'some'}`
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}'’]+|[%€$£+~²³°№#@&]/gu) ?? []

/**
 * Returns n-grams of the words on one side of a candidate, nearest word first. The n-grams of the nearest word are
 * added twice.
 */
export function grams(side: string, words: readonly string[]): string[] {
  return words.flatMap((word, place) => {
    const plain = `^${foldAccents(word).toLowerCase().slice(0, MAX_WORD)}$`
    const letters = [...plain]
    const found = [`${side}${plain}`]
    // In scripts without spaces, `words` contains whole phrases, so shorter n-grams are used.
    const sizes = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word)
      ? [1, 2, 3]
      : [4, 5]
    for (const size of sizes)
      for (let at = 0; at + size <= letters.length; at++) found.push(`${side}${letters.slice(at, at + size).join('')}`)
    return place === 0
      ? [...found, ...found.map((gram) => `0${gram}`)]
      : place === 1
        ? [...found, `1${side}${plain}`]
        : found
  })
}

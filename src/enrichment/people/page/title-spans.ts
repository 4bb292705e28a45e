import type { Element } from 'domhandler'
import { readWordSet } from '../../vocabulary/read-words.ts'
import { classifyText } from '../models/classify-text.ts'
import { parseName } from '../names/parse-name.ts'
import { scoreTitle } from '../titles/score-title.ts'
import { withoutLabel } from '../titles/title-text.ts'
import type { NameSpan, Piece } from './name-spans.ts'
import { piecesOf } from './name-spans.ts'
import type { Line } from './page-lines.ts'
import { columnOf, placeOf } from './page-shapes.ts'

/** A title's position relative to its name. */
export const RELATIONS = [
  'none',
  'in-line-after',
  'in-line-before',
  'below',
  'above',
  'sentence',
  'apposition',
  'before-name',
] as const
export type Relation = (typeof RELATIONS)[number]

/** A text that may be a name's title. */
export interface TitleSpan {
  text: string
  relation: Relation
  /** Number of lines between the name and the title. */
  rows: number
  line: Line | null
  place: string
  /** Likelihood that the text is a title, 0 to 1. */
  score: number
  /** The text from the end of the title to the end of the clause. */
  rest: string
  /** Number of words between a name and a title in running text. */
  gap: number
  /** Whether other names are between the name and the title: `Directors: Jane Doe, John Roe`. */
  isShared: boolean
}

const NONE: TitleSpan = {
  text: '',
  relation: 'none',
  rows: 0,
  line: null,
  place: '',
  score: 0,
  rest: '',
  gap: 0,
  isShared: false,
}
const BELOW = 4
const ABOVE = 2
const MAX_TITLE = 140
/** An email address, which lists of people may show where others show the title. */
const ADDRESS = /[^\s@]@[^\s@]/u
/** Minimum length of a line that may be a sentence. */
const MIN_SENTENCE = 40
/** Maximum number of sequences of parts that are tried as a title. */
const MAX_ENDS = 8
const BOUNDARIES = readWordSet('prose/boundaries')
const DETERMINERS = readWordSet('prose/determiners')
const COPULAS = readWordSet('prose/copulas')

/** Returns the likelihood that a text is a title, based on known words and on the text's letters. */
export const titleScore = (text: string): number => (scoreTitle(text) + classifyText(withoutLabel(text)).title) / 2

/** Returns the candidates for a name's title, preceded by `NONE`, which represents the absence of a title. */
export function findTitles(
  name: NameSpan,
  lines: readonly Line[],
  spansByRow: ReadonlyMap<number, readonly NameSpan[]>,
): TitleSpan[] {
  if (name.form === 'prose') return [NONE, ...inSentence(name), ...sharedInLine(name, spansByRow)]
  const isInSentence = name.form === 'part' && name.line.text.length > MIN_SENTENCE
  return [
    NONE,
    ...inLine(name, spansByRow),
    ...sharedInLine(name, spansByRow),
    ...(isInSentence ? inSentence(name) : []),
    ...nearLines(name, lines, spansByRow),
    ...sharedAbove(name, lines, spansByRow),
    ...columnHeading(name, lines),
    ...inBiography(name, lines),
  ]
}

const make = (text: string, relation: Relation, rows: number, line: Line, rest = ''): TitleSpan[] => {
  const isBefore = relation === 'in-line-before' || relation === 'before-name'
  const title = trim(isBefore ? withoutLastWords(text) : text)
  if (title.length < 2 || title.length > MAX_TITLE || ADDRESS.test(title)) return []
  const place = placeOf(line, line.el, relation)
  return [{ text: title, relation, rows, line, place, score: titleScore(title), rest, gap: 0, isShared: false }]
}

/** Removes trailing honorifics and articles, which belong to the following name, and a trailing form of `to be`. */
function withoutLastWords(text: string): string {
  const words = text.trim().split(/\s+/u)
  while (
    words.length > 0 &&
    (COPULAS.has((words.at(-1) as string).toLowerCase()) ||
      CONJUNCTION.test(words.at(-1) as string) ||
      (words.length > 1 && DETERMINERS.has((words.at(-1) as string).toLowerCase())) ||
      parseName(`${words.at(-1)} Jane Roe`)?.full_name === 'Jane Roe')
  )
    words.pop()
  return words.join(' ')
}

const trim = (text: string): string =>
  text
    .replace(/^[\s.,;:|•·–—/)\]（）-]+|(?:[\s,;:|•·–—/([（→›»-]|\.{2,})+$/gu, '')
    .replace(/^\(([^()]*)\)$/u, '$1')
    .replace(/^([^（(]*)[)）]$/u, '$1')
    .replace(/^\(([^()]*\([^()]*\)[^()]*)$/u, '$1')
    .replace(/^[(（]([^()（）]*)$/u, '$1')

/** Maximum likelihood at which a text beside a name is another name and not a title. */
const MAX_TITLE_OF_NAME = 0.4

function inLine(name: NameSpan, spansByRow: ReadonlyMap<number, readonly NameSpan[]>): TitleSpan[] {
  const { line } = name
  const others = (spansByRow.get(name.row) ?? []).filter(
    (span) =>
      span.score > 0.6 &&
      (span.start >= name.end || span.end <= name.start) &&
      !/^\s*[:：]\s*$/u.test(line.text.slice(span.end, name.start)) &&
      classifyText(span.text).title < MAX_TITLE_OF_NAME,
  )
  const to = Math.min(line.text.length, ...others.filter(({ start }) => start >= name.end).map(({ start }) => start))
  const from = Math.max(0, ...others.filter(({ end }) => end <= name.start).map(({ end }) => end))
  return [...best(line, 'in-line-after', name.end, to), ...best(line, 'in-line-before', from, name.start)]
}

/** Matches the text between two names in a list of names. */
const BETWEEN_NAMES = /^[\s,;、，/|·•&+]*(?:(?:and|und|et|y|e|i|en|och|og|ja|és|a|și|ve|και|и|і|và|dan)\s)?\s*$/u
const MIN_LISTED = 0.5

/** Finds the title that a name shares with the other names of a list: `Directors: Jane Doe, John Roe`. */
function sharedInLine(name: NameSpan, spansByRow: ReadonlyMap<number, readonly NameSpan[]>): TitleSpan[] {
  const { line } = name
  const others = (spansByRow.get(name.row) ?? []).filter(({ score }) => score > MIN_LISTED)
  let start = name.start
  for (let seen = 0; seen < others.length; seen++) {
    const before = others.find(({ end }) => end <= start && BETWEEN_NAMES.test(line.text.slice(end, start)))
    if (!before) break
    start = before.start
  }
  if (start === name.start) return []
  const from = Math.max(0, ...others.filter(({ end }) => end <= start).map(({ end }) => end))
  return best(line, 'in-line-before', from, start).map((title) => ({ ...title, isShared: true }))
}

/** Maximum number of names above that share a title with a name. */
const MAX_SHARING = 8

/** Finds the title above a list of names in the same position: `<dt>Directors</dt> <dd>Jane Doe</dd> <dd>John Roe</dd>`. */
function sharedAbove(
  name: NameSpan,
  lines: readonly Line[],
  spansByRow: ReadonlyMap<number, readonly NameSpan[]>,
): TitleSpan[] {
  if (name.form !== 'line') return []
  let row = name.row - 1
  const isPeer = ({ form, place }: NameSpan): boolean => form === 'line' && place === name.place
  while (name.row - row <= MAX_SHARING && (spansByRow.get(row) ?? []).some(isPeer)) row--
  const line = lines[row]
  if (row === name.row - 1 || !line || line.alt || line.text.length > MAX_LABEL) return []
  return make(line.text, 'above', name.row - row, line).map((title) => ({ ...title, isShared: true }))
}

/** Finds the heading of a name's table column, which may be the title of all names in it: `Branch manager`. */
function columnHeading(name: NameSpan, lines: readonly Line[]): TitleSpan[] {
  if (name.form !== 'line' || name.line.el.name !== 'td') return []
  const column = columnOf(name.line)
  const table = closestTable(name.line.el)
  for (let row = name.row - 1; row >= 0; row--) {
    const line = lines[row] as Line
    if (closestTable(line.el) !== table) return []
    if (line.el.name !== 'th' || columnOf(line) !== column) continue
    return make(line.text, 'above', MAX_SHARING, line).map((title) => ({ ...title, isShared: true }))
  }
  return []
}

function closestTable(el: Element): Element | null {
  for (let node: Element | null = el, up = 0; node && up < 5; node = node.parent as Element | null, up++)
    if (node.name === 'table') return node
  return null
}

/** Maximum length of a title above several names. */
const MAX_LABEL = 60

/** Finds the most likely title among the sequences of parts next to a name. */
function best(line: Line, relation: Relation, from: number, to: number): TitleSpan[] {
  const pieces = piecesOf(line).filter(({ start, end }) => start >= from - 1 && end <= to + 1)
  if (line.text.slice(from, to).trim() === '' || to - from > 400) return []
  const ends =
    pieces.length === 0
      ? [[from, to]]
      : relation === 'in-line-before'
        ? pieces.map(({ start }) => [start, to])
        : pieces.map(({ end }) => [from, end])
  const spans = ends
    .slice(0, relation === 'in-line-after' ? titleEnd(line, pieces) : MAX_ENDS)
    .flatMap(([start = from, end = to]) =>
      make(line.text.slice(start, closing(line.text, end)), relation, 0, line, line.text.slice(end, to)).map(
        (title) => ({ ...title, place: `${title.place} ${countParts(pieces, start, end)}` }),
      ),
    )
  return longest(spans)
}

/** Counts the parts of a title. Commas do not separate parts, because a title can be a list of positions. */
const countParts = (pieces: readonly Piece[], from: number, to: number): number =>
  pieces.filter(({ start, after }) => start > from && start < to && after !== 'comma').length

/**
 * Minimum score of a title that ends before the next element, and minimum score at which the text of the next element
 * continues the title.
 */
const LIKELY_TITLE = 0.4
const CONTINUES = 0.5

/**
 * Returns the number of parts that may belong to the title: all parts before an element whose text is not part of a
 * title, such as a degree after `<span>CEO</span>`. A text that starts in lower case continues the title: `Head <i>of
 * Sales</i>`.
 */
function titleEnd({ text }: Line, pieces: readonly Piece[]): number {
  const from = pieces[0]?.start ?? 0
  const end = pieces.findIndex(({ start, end, after }, at) => {
    const before = pieces[at - 1]
    const part = text.slice(start, end)
    if (before === undefined || after !== 'segment' || /^\p{Ll}/u.test(part)) return false
    const score = titleScore(text.slice(from, before.end))
    return score >= LIKELY_TITLE && titleScore(part) < Math.min(score, CONTINUES)
  })
  return end === -1 ? MAX_ENDS : Math.min(end, MAX_ENDS)
}

/** Includes a closing bracket if the opening bracket is in the title. */
const closing = (text: string, end: number): number => (/[)）]/u.test(text.charAt(end)) ? end + 1 : end)

/** Returns the most likely title and the longest remaining candidate, because a title can contain separators. */
function longest(spans: TitleSpan[]): TitleSpan[] {
  const unique = [...new Map(spans.map((span) => [span.text, span])).values()]
  const [first, ...others] = unique.toSorted((a, b) => b.score + bonus(b) - a.score - bonus(a))
  const whole = others.toSorted((a, b) => b.text.length - a.text.length)[0]
  return first ? [first, ...(whole && whole.score > 0.05 ? [whole] : [])] : []
}

const bonus = ({ text }: TitleSpan): number => Math.min(text.length, 60) / 400

function nearLines(
  name: NameSpan,
  lines: readonly Line[],
  spansByRow: ReadonlyMap<number, readonly NameSpan[]>,
): TitleSpan[] {
  const found: TitleSpan[] = []
  const look = (step: 1 | -1, limit: number): void => {
    for (let rows = 1, seen = 0; seen < limit && rows < limit + 4; rows++) {
      const line = lines[name.row + rows * step]
      if (!line) break
      if (isOtherName(name, spansByRow.get(name.row + rows * step))) break
      if (line.alt || line.text.length > 260 || !/\p{L}{2}/u.test(line.text) || leadsElsewhere(line, name)) continue
      seen++
      const relation = step === 1 ? 'below' : 'above'
      const titles = [...best(line, relation, 0, line.text.length), ...firstSentence(line, relation)]
      found.push(...titles.map((title) => ({ ...title, rows, place: `${title.place} ${rows}` })))
    }
  }
  look(1, BELOW)
  look(-1, ABOVE)
  return found
}

/** Matches a short first sentence before another sentence: `Brewer. Trained in Freising.` */
const FIRST_SENTENCE = /^((?:[^.!?]*[^\p{L}.!?])?(?:\p{L}{4,}|\p{Lu}{2,})\)?)[.!?]\s+\p{Lu}/u

/** Finds the first of several sentences below or above a name, which may be the title alone. */
const firstSentence = (line: Line, relation: Relation): TitleSpan[] =>
  make(FIRST_SENTENCE.exec(line.text.slice(0, MAX_TITLE))?.[1] ?? '', relation, 0, line)

/** Returns whether a line is a link to a different page than the name's link. */
function leadsElsewhere({ segments }: Line, { el }: NameSpan): boolean {
  const own = targetOf(el)
  return own !== undefined && segments.every((segment) => ![undefined, own].includes(targetOf(segment.el)))
}

const targetOf = (el: Element): string | undefined => {
  for (let node: Element | null = el, up = 0; node && up < 3; node = node.parent as Element | null, up++)
    if (node.name === 'a') return node.attribs['href']
  return undefined
}

/**
 * Returns whether a row belongs to another person. The search for a name's titles stops at the row of another person.
 * On the line below a name, another name after other text is usually an employer: `Financial Advisor, Edwin Mock`.
 */
const isOtherName = (name: NameSpan, spans: readonly NameSpan[] = []): boolean =>
  spans.some(
    (span) =>
      span.score > 0.7 &&
      span.form !== 'prose' &&
      span.text !== name.text &&
      !span.line.alt &&
      (span.start === 0 || name.form !== 'line'),
  )

/**
 * Finds titles in the sentence that contains the name: `Jane is our CEO`, `Jane Doe, CEO, …`, `our CEO, Jane Doe`, `CEO
 * Jane Doe`.
 */
function inSentence({ line, start, end }: NameSpan): TitleSpan[] {
  const found: TitleSpan[] = []
  const after = withoutLeadingCredentials(line.text.slice(end, end + 200))
  const comma = /^\s*(?:[,.，]|\(|[–—-]\s)\s*/u.exec(after)
  if (comma) found.push(...phrase(line, after.slice(comma[0].length), 'apposition'))
  const verb = copulaAfter(after)
  if (verb) found.push(...phrase(line, verb, 'sentence'))
  const before = line.text.slice(Math.max(0, start - 120), start)
  const clause = before.replace(/^.*(?:[.;:!?(„“"]|[,–—](?=.*,\s*$))\s*/u, '')
  const words = clause.replace(/[,\s]+$/u, '').split(/\s+/u)
  while (isFunctionWord(words.at(-1) ?? '')) words.pop()
  const opens = words.findLastIndex((word) => isFunctionWord(word))
  const lastComma = words.findLastIndex((word) => word.endsWith(','))
  for (const from of new Set([0, opens + 1, lastComma + 1]))
    if (words.length - from <= 8) found.push(...make(words.slice(from).join(' '), 'before-name', 0, line, after))
  const introduction = /[,，]\s*$/u.test(before) ? clause : ''
  const likely = [
    // `Head of Sales since 2017, Jane Doe …`
    ...(introduction === '' ? [] : phrase(line, introduction, 'before-name')),
    ...likeliest(introduction, (title) => make(title, 'before-name', 0, line, after)),
    ...likeliest(after, (title, rest) => make(title, 'sentence', 0, line, rest)),
    ...make(likeliestEnd(words), 'before-name', 0, line, after),
  ]
  return [...new Map([...likely, ...found].map((title) => [title.text, title])).values()]
}

/** Removes the credentials after a name in running text: `, CFP®, CPA, keeps the books` becomes `, keeps the books`. */
function withoutLeadingCredentials(text: string): string {
  let rest = text
  for (let seen = 0; seen < MAX_CREDENTIALS; seen++) {
    const word = /^\s*,?\s*([\p{L}.®™&-]{2,12}?)(?=[,\s]|\.?$)/u.exec(rest)
    const letters = word?.[1] ?? ''
    if (!word || !isCredential(letters)) break
    rest = rest.slice(word[0].length)
  }
  return rest
}

const MAX_CREDENTIALS = 6
const isCredential = (text: string): boolean =>
  scoreTitle(text) <= UNKNOWN_TITLE &&
  (/^(?:\p{Lu}\p{Ll}?\.){2,}$/u.test(text) || parseName(`Jane Roe, ${text}`)?.full_name === 'Jane Roe')
/** Maximum score of a text that contains no word of a title. */
const UNKNOWN_TITLE = 0.4

/** Maximum numbers of words before and in the most likely title of a clause. */
const MAX_GAP = 8
const MAX_WORDS = 6
/** Minimum score of the most likely title of a clause, and the gain in score that each further word must not lose. */
const MIN_LIKELY = 0.5
const PER_WORD = 0.03

/**
 * Finds the words of a clause that most resemble a title, because the verbs and prepositions of a language may be
 * unknown: `Jane Roe menjabat Komisaris sejak 2019`.
 */
function likeliest(text: string, write: (title: string, rest: string) => TitleSpan[]): TitleSpan[] {
  const clause = /^[^.;:!?()]*/u.exec(text)?.[0] ?? ''
  const words = clause.trim().split(/\s+/u).filter(Boolean)
  const best = new Map<'plain' | 'long', { from: number; to: number; score: number }>()
  const offer = (kind: 'plain' | 'long', one: { from: number; to: number; score: number }): void => {
    if (one.score > (best.get(kind)?.score ?? MIN_LIKELY)) best.set(kind, one)
  }
  for (let from = 0; from < Math.min(words.length, MAX_GAP); from++)
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_WORDS); to++) {
      const score = wordsScore(words.slice(from, to))
      offer('plain', { from, to, score })
      if (score > 0) offer('long', { from, to, score: score + PER_WORD * (to - from) })
      if (/,$/u.test(words[to - 1] as string)) break
    }
  return [...new Map([...best.values()].map((one) => [`${one.from} ${one.to}`, one])).values()].flatMap(
    ({ from, to }) =>
      write(withoutEnd(words.slice(from, to).join(' ')), words.slice(to).join(' ')).map((title) => ({
        ...title,
        gap: from,
      })),
  )
}

/** Returns the last words of a clause that most resemble a title. */
function likeliestEnd(words: readonly string[]): string {
  let found = { text: '', score: MIN_LIKELY }
  for (let count = 1; count <= Math.min(words.length, MAX_WORDS); count++) {
    const score = wordsScore(words.slice(-count))
    if (score + PER_WORD * count > found.score)
      found = { text: words.slice(-count).join(' '), score: score + PER_WORD * count }
  }
  return found.text
}

/** Scores words by their letters. Titles do not start or end with an article or a preposition. */
function wordsScore(words: readonly string[]): number {
  if ([words[0], words.at(-1)].some((word = '') => isFunctionWord(word))) return 0
  return classifyText(withoutEnd(words.join(' '))).title
}

/** Number of lines below a name that may start its biography, and the minimum length of a biography. */
const BIOGRAPHY_ROWS = 3
const MIN_BIOGRAPHY = 40

/** Finds titles in the first sentence of the biography below a name: `Jane is our CEO`, `As our CEO, she …`. */
function inBiography(name: NameSpan, lines: readonly Line[]): TitleSpan[] {
  if (name.form !== 'line' || name.line.alt) return []
  for (let rows = 1; rows <= BIOGRAPHY_ROWS; rows++) {
    const line = lines[name.row + rows]
    if (!line || line.heading > 0 || line.alt) return []
    if (line.text.length < MIN_BIOGRAPHY) continue
    const place = (title: TitleSpan): TitleSpan => ({ ...title, rows, place: `${title.place} ${rows}` })
    const verb = copulaAfter(line.text)
    const found = verb ? phrase(line, verb, 'sentence') : []
    const known = new Set(found.map(({ text }) => text))
    const likely = likeliest(line.text.slice(0, 160), (title, rest) => make(title, 'sentence', rows, line, rest))
    return [...found, ...likely.filter(({ text }) => !known.has(text))].map(place)
  }
  return []
}

const isFunctionWord = (word: string): boolean =>
  DETERMINERS.has(word.toLowerCase()) ||
  COPULAS.has(word.toLowerCase()) ||
  (BOUNDARIES.has(word.toLowerCase()) && !/^(?:de|of|di|da|y|e|i|og|och|und|et|en)$/iu.test(word))

/** Returns the text after a form of `to be` that is preceded by at most nine words. */
function copulaAfter(text: string): string | undefined {
  const words = text.split(/\s+/u).slice(0, 12)
  for (let at = 0; at < Math.min(words.length, 10); at++)
    for (const size of [3, 2, 1])
      if (
        COPULAS.has(
          words
            .slice(at, at + size)
            .join(' ')
            .toLowerCase(),
        )
      ) {
        const rest = words.slice(0, at + size).join(' ').length
        return /[.!?]/u.test(text.slice(0, rest)) ? undefined : text.slice(rest)
      }
  return undefined
}

/**
 * Returns the first phrase of a text, without determiners. A second phrase is included if it is also a title: `Founder
 * and Chair`.
 */
function phrase(line: Line, text: string, relation: Relation): TitleSpan[] {
  const words = text.trim().split(/\s+/u).slice(0, 24)
  while (words.length > 0 && DETERMINERS.has((words[0] as string).toLowerCase())) words.shift()
  if (/^[l]['’]/iu.test(words[0] ?? '')) words[0] = (words[0] as string).slice(2)
  const spans: TitleSpan[] = []
  let joined = 0
  for (let count = 1; count <= Math.min(words.length, 9); count++) {
    const stops =
      /[,;:!?)]$|(?<!(?:^|[^\p{L}])\p{Ll}{1,2})\.$/u.test(words[count - 1] as string) || count === words.length
    const joins = BOUNDARIES.has((words[count] ?? '').toLowerCase()) || /^(?:[–—-]$|\()/u.test(words[count] ?? '')
    if (!stops && !joins) continue
    const second = words.slice(joined + 1, count).join(' ')
    const conjunction = CONJUNCTION.test(words[joined] ?? '')
    if (joined > 0 && conjunction && titleScore(withoutEnd(second)) < MIN_SECOND) break
    const title = withoutEnd(words.slice(0, count).join(' '))
    if (joined > 0 && conjunction && titleScore(withoutEnd(second)) >= SURE_SECOND) spans.pop()
    spans.push(...make(title, relation, 0, line, words.slice(count).join(' ')))
    if (stops) break
    joined = count
  }
  // A conjunction or preposition can end the title or belong to it.
  const [first, last] = [spans[0], spans.at(-1)]
  const best = spans.toSorted((a, b) => b.score - a.score)[0]
  return [...new Set([first, best, last])].filter((span) => span !== undefined)
}

/** Minimum score at which the words after a conjunction belong to the title. */
const MIN_SECOND = 0.35
/** Minimum score at which the title always includes the words after a conjunction. */
const SURE_SECOND = 0.7
const CONJUNCTION = /^(?:and|&|und|et|y|e|och|og|a|și|ja|en|i|ve|και|и|і)$/u

/** Removes punctuation at the end, and closing brackets whose opening brackets are not in the text. */
function withoutEnd(text: string): string {
  const plain = text.replace(/[,.;:!?]+$/u, '')
  const isUnopened = plain.endsWith(')') && plain.split(')').length > plain.split('(').length
  return isUnopened ? withoutEnd(plain.slice(0, -1)) : plain
}

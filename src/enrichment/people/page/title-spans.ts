import type { Element } from 'domhandler'
import { classifyText } from '../models/classify-text.ts'
import type { NameSpan } from './name-span.ts'
import type { Piece } from './name-spans.ts'
import { piecesOf } from './name-spans.ts'
import type { Line } from './page-lines.ts'
import { columnOf } from './page-shapes.ts'
import { inBiography, inSentence } from './prose-titles.ts'
import type { Relation, TitleSpan } from './title-span.ts'
import { MAX_TITLE, make, NONE, titleScore } from './title-span.ts'

const BELOW = 4
const ABOVE = 2
/** Minimum length of a line that may be a sentence. */
const MIN_SENTENCE = 40
/** Maximum number of sequences of parts that are tried as a title. */
const MAX_ENDS = 8
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

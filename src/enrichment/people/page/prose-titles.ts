import { readWordSet } from '../../vocabulary/read-words.ts'
import { classifyText } from '../models/classify-text.ts'
import { parseName } from '../names/parse-name.ts'
import { scoreTitle } from '../titles/score-title.ts'
import type { NameSpan } from './name-span.ts'
import type { Line } from './page-lines.ts'
import type { Relation, TitleSpan } from './title-span.ts'
import { CONJUNCTION, COPULAS, DETERMINERS, make, titleScore } from './title-span.ts'

const BOUNDARIES = readWordSet('prose/boundaries')

/**
 * Finds titles in the sentence that contains the name: `Jane is our CEO`, `Jane Doe, CEO, …`, `our CEO, Jane Doe`, `CEO
 * Jane Doe`.
 */
export function inSentence({ line, start, end }: NameSpan): TitleSpan[] {
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
export function inBiography(name: NameSpan, lines: readonly Line[]): TitleSpan[] {
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

/** Removes punctuation at the end, and closing brackets whose opening brackets are not in the text. */
function withoutEnd(text: string): string {
  const plain = text.replace(/[,.;:!?]+$/u, '')
  const isUnopened = plain.endsWith(')') && plain.split(')').length > plain.split('(').length
  return isUnopened ? withoutEnd(plain.slice(0, -1)) : plain
}

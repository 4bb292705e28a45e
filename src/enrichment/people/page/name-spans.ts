import type { Element } from 'domhandler'
import { readWordSet } from '../../vocabulary/read-words.ts'
import { classifyText } from '../models/classify-text.ts'
import { PARTICLES, SUFFIXES } from '../names/name-words.ts'
import { parseName } from '../names/parse-name.ts'
import { withGivenNameFirst, withOneOrder } from './name-order.ts'
import { hasGivenName, isForeignName, isNameShaped, nameScore } from './name-shape.ts'
import type { NameSpan } from './name-span.ts'
import type { Line } from './page-lines.ts'
import { placeOf } from './page-shapes.ts'

/** A part of a line between separators. */
export interface Piece {
  start: number
  end: number
  /** The separator before this part. */
  after: 'start' | 'segment' | 'comma' | 'bracket' | 'strong'
}

const SEPARATOR =
  /[/・](?=\d)|\s[-–—―‒|•·~]+\s|\s?[|｜•·／：–—]\s?|[:;]\s|\s\/\s|,\s+|[、，]|\s?[()（）]\s?|\s-(?=\p{Lu})|\s(?=\+?\d[\d\s()./-]{6,}\d)|\s?\.{3,}\s?|(?<=[:：]\s[^.:]{3,40}\p{Ll}{3})\.\s(?=\p{Lu}[^.:]{1,40}:)/gu
const DETERMINERS = readWordSet('prose/determiners')
const MAX_PIECES = 14
/** Minimum length of a line that is searched for names in running text. */
const MIN_SENTENCE = 20
const MAX_SPANS = 1500
const MIN_SCORE = 0.12
/**
 * Minimum score of a single word on its own line. This score is low, because the word may be a given name in a list of
 * full names.
 */
const MIN_LONE_WORD = 0.02

/** Splits a line at punctuation and at inline element boundaries. */
export function piecesOf(line: Line): Piece[] {
  const cuts: { at: number; to: number; after: Piece['after'] }[] = []
  for (const { 0: mark, index } of line.text.matchAll(SEPARATOR)) {
    const sign = mark.trim()
    const after = /^[,、，]/.test(sign) ? 'comma' : /[()（）]/.test(sign) ? 'bracket' : 'strong'
    cuts.push({ at: index, to: index + mark.length, after })
  }
  for (const at of segmentStarts(line).slice(1)) cuts.push({ at, to: at, after: 'segment' })
  cuts.sort((a, b) => a.at - b.at || a.to - b.to)
  const pieces: Piece[] = []
  let [start, after]: [number, Piece['after']] = [0, 'start']
  for (const cut of [...cuts, { at: line.text.length, to: line.text.length, after: 'start' as const }]) {
    const text = line.text.slice(start, cut.at)
    const from = start + text.length - text.trimStart().length
    const to = from + text.trim().length
    if (to > from) pieces.push({ start: from, end: to, after })
    if (to > from || (cut.after !== 'segment' && cut.after !== 'comma')) after = cut.after
    start = Math.max(start, cut.to)
  }
  return pieces
}

function segmentStarts({ text, segments }: Line): number[] {
  let cursor = 0
  return segments.map((segment) => {
    const found = text.indexOf(segment.text.slice(0, 12), cursor)
    if (found >= 0) cursor = found
    const at = cursor
    cursor += Math.min(segment.text.length, 12)
    return at
  })
}

/** Finds text that may be a name, in document order. Spans can overlap. */
export function findNameSpans(lines: readonly Line[]): NameSpan[] {
  const spans: NameSpan[] = []
  for (const [row, line] of lines.entries()) {
    if (spans.length > MAX_SPANS) break
    const pieces = line.text.length <= 400 ? piecesOf(line) : []
    if (pieces.length === 1 && isNoPerson(line.text)) continue
    if (pieces.length <= MAX_PIECES) spans.push(...fromPieces(line, row, pieces))
    if (line.text.length > MIN_SENTENCE && !line.alt) spans.push(...fromSentences(line, row, spans))
  }
  return withGivenNameFirst(withOneOrder(spans).filter((span) => !isHalfName(span)))
}

/** Returns whether a word is half of a name that fills its line: `<span>Jane</span> <span>Doe</span>`. */
function isHalfName({ line, form, text }: NameSpan): boolean {
  if (form !== 'part' || !/^\p{Lu}[\p{L}'’-]+$/u.test(text) || !isNameShaped(line.text)) return false
  const others = line.text.replace(text, '').trim()
  return others !== '' && classifyText(others).title < 0.5
}

const LEGAL_FORMS = readWordSet('companies/legal-forms')
/** Minimum length of a legal form. Shorter forms, such as `AS`, are also initials and abbreviations in names. */
const MIN_FORM = 3

const STREETS = readWordSet('places/street-prefixes')

/**
 * Returns whether a text starts with a word for a street or ends with a legal form: `Via Roma`, `Doe Roe Inc.`. Capitals
 * are ambiguous: `JAMES EARL`.
 */
function isNoPerson(text: string): boolean {
  if (STREETS.has(text.split(/\s/u, 1)[0]?.toLowerCase() ?? '')) return true
  if (!/\p{Ll}/u.test(text)) return false
  const words = text.replace(/\.$/u, '').split(/\s+/u)
  return [1, 2].some((count) => {
    const form = words.slice(-count).join(' ')
    return count < words.length && form.length >= MIN_FORM && LEGAL_FORMS.has(form)
  })
}

function fromPieces(line: Line, row: number, pieces: readonly Piece[]): NameSpan[] {
  const found: NameSpan[] = []
  const add = (start: number, nameEnd: number, end: number, form: NameSpan['form'], part: string): void => {
    // A dot after three lower-case letters ends the sentence and not an abbreviation.
    const text = line.text.slice(start, nameEnd).replace(/(?<=\p{Ll}{3})\.$/u, '')
    if (isNoPerson(text)) return
    const score = nameScore(text)
    if (score < (form === 'line' && !text.includes(' ') ? MIN_LONE_WORD : MIN_SCORE)) return
    const el = elementAt(line, start)
    found.push({ text, line, row, start, end, form, el, place: placeOf(line, el, part), score })
  }
  pieces.forEach(({ start, end }, first) => {
    const text = line.text.slice(start, end)
    const last = credentialsAfter(line, pieces, first)
    const isWhole = first === 0 && last === pieces.length - 1
    const joined = joinedNames(text)
    for (const [from, to] of joined) add(start + from, start + to, start + to, 'part', `${first}`)
    if (isNameShaped(text) && joined.length === 0)
      add(start, suffixEnd(line, pieces, first), (pieces[last] as Piece).end, isWhole ? 'line' : 'part', `${first}`)
    for (const [from, to] of tokensWithin(text))
      add(start + from, start + to, start + to, 'part', `${first}:${from > 0}`)
    const honored = afterFirstWord(text)
    if (honored > 0) add(start + honored, end, (pieces[last] as Piece).end, 'part', `${first}:honored`)
    const foreign = pieces[first + 1]
    if (foreign && FOREIGN.test(line.text.slice(start, foreign.end)))
      add(start, foreign.end, foreign.end, first === 0 && pieces.length === 2 ? 'line' : 'part', `${first}`)
    // A name may span several elements: `<span>Jane</span> <span>Doe</span>`.
    for (let next = last + 1; next < pieces.length && next < first + 4; next++) {
      const piece = pieces[next]
      if (piece?.after !== 'segment' || isArticle(text)) break
      // A title does not continue a full name: `<b>Jane Doe</b> <i>Welder</i>`.
      if (text.includes(' ') && classifyText(line.text.slice(piece.start, piece.end)).title > 0.5) break
      const joined = line.text.slice(start, piece.end)
      if (isNameShaped(joined))
        add(
          start,
          piece.end,
          (pieces[credentialsAfter(line, pieces, next)] as Piece).end,
          first === 0 && next === pieces.length - 1 ? 'line' : 'part',
          `${first}`,
        )
    }
    const next = pieces[first + 1]
    if (next?.after === 'comma' && isInverted(line.text.slice(start, next.end)))
      add(start, next.end, next.end, 'inverted', `${first}i`)
  })
  return found
}

/** Matches a foreign name in Chinese, whose parts are separated by a middle dot. */
const FOREIGN = /^\p{Script=Han}{1,4}[·・]\p{Script=Han}{1,6}$/u

/**
 * Returns the offset of the second word if a name follows the first word, which may be an unknown form of address:
 * `Uncle Ray Doe`. Returns 0 otherwise.
 */
function afterFirstWord(text: string): number {
  const rest = /^\S+\s+(?=\S+\s+\S)/u.exec(text)?.[0]
  if (rest === undefined || hasGivenName(rest.trim())) return 0
  const name = text.slice(rest.length)
  return isNameShaped(name) && hasGivenName(name.split(' ')[0] as string) ? rest.length : 0
}

/** Returns the index of the last credential (CFA, PhD) after the name in piece `at`; `at` if there is no credential. */
function credentialsAfter(line: Line, pieces: readonly Piece[], at: number): number {
  let last = at
  const isWord = !line.text.slice(pieces[at]?.start, pieces[at]?.end).includes(' ')
  for (const next of pieces.slice(at + 1)) {
    // After a single word in capitals, the next word is the family name: `<span>JANE</span> <span>DOE</span>`.
    if (next.after !== 'comma' && (next.after !== 'segment' || isWord)) break
    const text = line.text.slice(next.start, next.end)
    if (text.length > 24 || parseName(`Jane Roe, ${text}`)?.last_name !== 'Roe') break
    last++
  }
  return last
}

/** Returns the end of the name in piece `at`, including a suffix after a comma: `John Doe, Jr.` */
function suffixEnd({ text }: Line, pieces: readonly Piece[], at: number): number {
  const [name, next] = pieces.slice(at, at + 2) as [Piece, Piece | undefined]
  const isSuffix = next?.after === 'comma' && SUFFIXES.has(bareWord(text.slice(next.start, next.end)))
  return isSuffix && text.slice(name.start, name.end).includes(' ') ? next.end : name.end
}

const bareWord = (text: string): string => text.toLowerCase().replace(/\.$/u, '')

const AND = /\s(?:[&+]|and|und|et|y|e|i|en|och|og|ja|és|a|și|ve|και|и|і|và|dan)\s/gu
/** Minimum score of each of several names that are joined by a conjunction. */
const MIN_JOINED = 0.5

/** Returns the offsets of several full names joined by a conjunction: `Jane Doe & John Roe`. */
function joinedNames(text: string): [number, number][] {
  const cuts = [...text.matchAll(AND)].map(({ 0: mark, index }) => [index, index + mark.length] as const)
  if (cuts.length === 0 || cuts.length > 3) return []
  const spans = [...cuts, [text.length, 0] as const].map(([end], at): [number, number] => [cuts[at - 1]?.[1] ?? 0, end])
  const isFullName = (name: string): boolean =>
    name.includes(' ') && isNameShaped(name) && nameScore(name) >= MIN_JOINED
  return spans.every(([from, to]) => isFullName(text.slice(from, to))) ? spans : []
}

/** Returns whether a word is a one-letter article before a name: `Ο Γιώργος`, `A Maria`. */
const isArticle = (word: string): boolean => word.length === 1 && DETERMINERS.has(word.toLowerCase())

/** Returns the offsets of possible names at both ends of a text, for scripts that write names without spaces. */
function tokensWithin(text: string): [number, number][] {
  if (!/^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー・\s]+$/u.test(text)) return []
  const words = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }): [number, number] => [index, index + word.length])
  if (words.length < 2) return []
  const spans: [number, number][] = []
  const at = (size: number): [number, number] => [(words.at(-size) as [number, number])[0], text.length]
  // The longest foreign name at the end: `工場長 グエン ティ ホア`.
  const foreign = [4, 3].find((size) => words.length > size && isForeignName(text.slice(...at(size))))
  if (foreign !== undefined) return [at(foreign)]
  // A family name and a given name of at most three characters form one name.
  const short =
    words.slice(-2).every(([from, to]) => to - from <= 3) || words.slice(0, 2).every(([from, to]) => to - from <= 3)
  for (const size of short && /\p{Script=Han}/u.test(text) && words.length > 2 ? [2] : [1, 2])
    if (words.length > size)
      for (const from of [0, words.length - size]) {
        const span: [number, number] = [
          (words[from] as [number, number])[0],
          (words[from + size - 1] as [number, number])[1],
        ]
        if (isNameShaped(text.slice(...span))) spans.push(span)
      }
  return spans
}

/** Finds names in running text: sequences of capitalized words, in scripts with letter case. */
function fromSentences(line: Line, row: number, before: readonly NameSpan[]): NameSpan[] {
  const found: NameSpan[] = []
  const words = [...line.text.matchAll(/\S+/gu)].slice(0, 400)
  let previous = { end: 0, score: 0 }
  for (let first = 0; first < words.length; first++) {
    const best = longestName(line.text, words, first) ?? caselessName(line.text, words, first)
    if (!best) continue
    const [count, score] = best
    const start = (words[first] as RegExpExecArray).index + openingMarks(words[first]?.[0] ?? '')
    const end =
      start +
      line.text.slice(start).indexOf(bare(words[first + count - 1]?.[0] ?? ''), endOffset(words, first, count, start)) +
      bare(words[first + count - 1]?.[0] ?? '').length
    // The words of a title can precede a name: `Chief Engineer Jane Doe`.
    if (end < previous.end || (end === previous.end && score < previous.score + MIN_GAIN)) continue
    previous = { end, score }
    if (before.some((span) => span.row === row && span.start < end && start < span.end && span.form === 'line'))
      continue
    const el = elementAt(line, start)
    const text = line.text.slice(start, end)
    const span = { line, row, end, form: 'prose' as const, el, place: `prose ${line.el.name}` }
    found.push({ ...span, text, start, score })
    const honored = afterFirstWord(text)
    const isRepeated = longestName(line.text, words, first + 1) !== undefined
    if (honored > 0 && !isRepeated)
      found.push({ ...span, text: text.slice(honored), start: start + honored, score: nameScore(text.slice(honored)) })
  }
  return found
}

/** Gain in score for which the end of a name is also a name. */
const MIN_GAIN = 0.1
/** Minimum score of a name at the start of a sentence in a script without letter case. */
const MIN_CASELESS = 0.45

/** Returns the score and the number of words of a name that starts a sentence in a script without letter case. */
function caselessName(text: string, words: readonly RegExpExecArray[], first: number): [number, number] | undefined {
  if (first > 0 && !/[.!?։۔]["”»]?$/u.test(words[first - 1]?.[0] ?? '')) return undefined
  const start = words[first]?.index ?? 0
  if (
    !/^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Georgian}]/u.test(
      text.slice(start),
    )
  )
    return undefined
  const names = [2, 3].flatMap((count): [number, number][] => {
    const last = words[first + count - 1]
    if (!last || first + count >= words.length) return []
    const name = bare(text.slice(start, last.index + last[0].length))
    const score = isNameShaped(name) ? nameScore(name) : 0
    return score >= MIN_CASELESS ? [[count, score]] : []
  })
  return names.toSorted((a, b) => b[1] - a[1])[0]
}

/** Matches marks and a French elision before a name: `d'Étienne`. */
const OPENING = /^(?:[("“„«»‘']+|[dl]['’](?=\p{Lu}))+/u
const openingMarks = (word: string): number => word.length - word.replace(OPENING, '').length
const bare = (word: string): string => word.replace(OPENING, '').replace(/[)"”“»’',;:.!?]+$/u, '')
const endOffset = (words: readonly RegExpExecArray[], first: number, count: number, start: number): number =>
  Math.max(0, (words[first + count - 1]?.index ?? start) - start)

/** Returns the score and the number of words of the best name that starts at a word in running text. */
function longestName(text: string, words: readonly RegExpExecArray[], first: number): [number, number] | undefined {
  let best: [number, number] | undefined
  const head = words[first]?.[0] ?? ''
  if (isArticle(head)) return undefined
  if (!/^\p{Lu}/u.test(head.replace(OPENING, '')) || /[,;:!?)]$|\p{L}{4}\.$/u.test(head)) return undefined
  for (let count = 2; count <= 5 && first + count <= words.length; count++) {
    const last = words[first + count - 1]?.[0] ?? ''
    const plain = bare(last)
    if (!/^\p{Lu}/u.test(plain) && !PARTICLES.has(plain.toLowerCase()) && plain !== 't') break
    const name = text.slice(words[first]?.index, (words[first + count - 1]?.index ?? 0) + last.length)
    const score = /^\p{Lu}/u.test(plain) && isNameShaped(bare(name)) ? nameScore(bare(name)) : 0
    if (score >= 0.2 && score + count * 0.04 > (best ? best[1] + best[0] * 0.04 : 0)) best = [count, score]
    if (/[,;:!?)]["”»]?$/u.test(last) || (/\.$/u.test(last) && plain.length > 3)) break
  }
  return best
}

/**
 * Returns whether a text has the form of a family name followed by a given name: `Doe, Jane`, `GARCÍA LÓPEZ, María`.
 */
const isInverted = (text: string): boolean => {
  const [family = '', given = '', ...more] = text.split(/\s*[,，]\s*/u)
  return (
    more.length === 0 &&
    family.split(' ').length <= 3 &&
    given.split(' ').length <= 3 &&
    isNameShaped(`${given} ${family}`) &&
    /^\p{Lu}/u.test(given)
  )
}

/** Returns the element that contains the character at an offset in the line. */
function elementAt(line: Line, offset: number): Element {
  const starts = segmentStarts(line)
  const at = starts.findLastIndex((start) => start <= offset)
  return (line.segments[Math.max(at, 0)] ?? line.segments[0])?.el ?? line.el
}

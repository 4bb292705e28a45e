import { readAlternatives, readWordSet } from '../../vocabulary/read-words.ts'
import { scoreName } from '../names/score-name.ts'
import { classifyText } from '../text-kinds/classify-text.ts'
import { hasSureRole } from '../titles/classify-seniority.ts'
import { scoreTitle } from '../titles/score-title.ts'
import type { Line } from './page-lines.ts'

/** A person introduced by a sentence. */
export interface ProsePerson {
  name: string
  title: string
  line: Line
}

const MIN_NAME = 0.6
/** Minimum score of a title. Lower than elsewhere, because the verb already indicates a title. */
const MIN_TITLE = 0.5
const MAX_NAME_WORDS = 5
const MAX_TITLE_WORDS = 7
/** Maximum length of a sentence. Longer sentences are not simple introductions. */
const MAX_SENTENCE = 260
/**
 * Matches words between the name and the verb, as in `Jane Doe joined in 2014 and is a Senior Architect`. Capitalized
 * words are not allowed, because they may be another name.
 */
const GAP = String.raw`(?:,?\s+[\p{Ll}\d][\p{L}\d'’-]*){0,6}?`
const COPULA = new RegExp(
  String.raw`^${GAP}\s+(?:${readAlternatives('prose/copulas')})\s+(?:(?:${readAlternatives('prose/determiners')})(?:\s+|(?<=')))*(?<rest>.+)$`,
  'u',
)
const BOUNDARIES = readWordSet('prose/boundaries')
/**
 * Matches an employer after a title, as in `is the head of Acme`. An employer that is mentioned by name is usually
 * another company.
 */
const EMPLOYER = /^\s*(?:of|at|bei|von|chez|de|en|di|da|van|på|hos|w|v)\s+\p{Lu}/u

/** Finds people who are introduced in the first sentence of a line: `Jane Doe is our Technical Director and …`. */
export function readProsePeople(lines: readonly Line[]): ProsePerson[] {
  return lines.flatMap((line) => {
    if (line.alt || line.heading > 0) return []
    const [sentence = ''] = line.text.split(/(?<=[\p{L}\d)][.!?;:])\s/u)
    if (sentence.length > MAX_SENTENCE) return []
    const found = readSentence(sentence)
    return found ? [{ ...found, line }] : []
  })
}

function readSentence(sentence: string): { name: string; title: string } | undefined {
  const words = sentence.split(' ')
  for (let length = Math.min(MAX_NAME_WORDS, words.length - 2); length >= 2; length--) {
    const name = words.slice(0, length).join(' ').replace(/,$/u, '')
    if (!/^\p{Lu}/u.test(name) || scoreName(name) < MIN_NAME) continue
    const rest = COPULA.exec(sentence.slice(words.slice(0, length).join(' ').length))?.groups?.['rest']
    const title = rest && titleAtStart(rest)
    if (title) return { name, title }
  }
  return undefined
}

/** Returns the title at the start of a text, up to the end of its phrase. Includes a second title after `and`. */
function titleAtStart(text: string): string | undefined {
  const [first = '', ...others] = text.split(/(?<=\p{L})[.,;:!?]|\s[–—-]\s/u)
  const words = first.trim().split(/\s+/u)
  const ends = [...words.keys()].filter((at) => at > 0 && isBoundary(words, at))
  for (const end of [
    ...ends
      .filter((at) => isConjunction(words, at))
      .slice(0, 1)
      .flatMap((at) => after(ends, at, words)),
    ends[0] ?? words.length,
  ]) {
    const title = words.slice(0, end).join(' ')
    if (end > MAX_TITLE_WORDS || !isTitle(title)) continue
    return EMPLOYER.test([...words.slice(end), ...others].join(' ')) ? undefined : title
  }
  return undefined
}

const isBoundary = (words: readonly string[], at: number): boolean =>
  BOUNDARIES.has((words[at] as string).toLowerCase()) || isConjunction(words, at)

/** Whether a word is a conjunction before a capitalized word, as in `Founder and Chair`. */
const isConjunction = (words: readonly string[], at: number): boolean =>
  /^(?:and|&|und|et|y|e|och|og|i|a|și)$/u.test(words[at] as string) && /^\p{Lu}/u.test(words[at + 1] ?? '')

/** Returns the end of the title after a conjunction, as a list; an empty list if no title follows. */
const after = (ends: readonly number[], conjunction: number, words: readonly string[]): number[] => {
  const end = ends.find((at) => at > conjunction) ?? words.length
  return isTitle(words.slice(conjunction + 1, end).join(' ')) ? [end] : []
}

/**
 * Whether a text is a title. In lower-case text, a word with the ending of an occupation is not enough evidence: `is a
 * keen cyclist`.
 */
function isTitle(text: string): boolean {
  if (/^\p{Lu}/u.test(text)) return scoreTitle(text) >= MIN_TITLE
  const title = capitalized(text)
  return scoreTitle(title) >= MIN_TITLE && (hasSureRole(text) || classifyText(title).title >= MIN_TITLE)
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

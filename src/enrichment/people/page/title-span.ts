import { readWordSet } from '../../vocabulary/read-words.ts'
import { classifyText } from '../models/classify-text.ts'
import { parseName } from '../names/parse-name.ts'
import { scoreTitle } from '../titles/score-title.ts'
import { withoutLabel } from '../titles/title-text.ts'
import type { Line } from './page-lines.ts'
import { placeOf } from './page-shapes.ts'

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

/** The absence of a title. */
export const NONE: TitleSpan = {
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

/** Maximum length of a title. */
export const MAX_TITLE = 140
/** An email address, which lists of people may show where others show the title. */
const ADDRESS = /[^\s@]@[^\s@]/u
export const DETERMINERS = readWordSet('prose/determiners')
export const COPULAS = readWordSet('prose/copulas')
/** Matches a conjunction that joins two positions. */
export const CONJUNCTION = /^(?:and|&|und|et|y|e|och|og|a|și|ja|en|i|ve|και|и|і)$/u

/** Returns the likelihood that a text is a title, based on known words and on the text's letters. */
export const titleScore = (text: string): number => (scoreTitle(text) + classifyText(withoutLabel(text)).title) / 2

/** Returns a text as a possible title; nothing if it cannot be one. */
export const make = (text: string, relation: Relation, rows: number, line: Line, rest = ''): TitleSpan[] => {
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

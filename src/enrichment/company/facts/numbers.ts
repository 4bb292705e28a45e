import { readFileSync } from 'node:fs'
import { foldAccents } from '../../../lib/fold-accents.ts'

/** A number found in text. */
export interface NumberInText {
  value: number
  start: number
  end: number
  /** Whether the number is spelled out. */
  isWord: boolean
}

/**
 * Spelled-out cardinals from 2 to 150 by language, with folded spelling. `npm run generate -- number-words` writes the
 * file.
 */
const CARDINALS = JSON.parse(readFileSync(new URL('number-words.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, number>
>
/** A number after a letter is part of a word, except in scripts without spaces. */
const DIGITS =
  /(?<![[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]\p{N}.,\/+\-])(?:[1-9]\d{0,2}(?:[.,'’ ]\d{3})+|[1-9]\d{0,6})(?!\p{N}|[.,:\/]\d|-\d)/gv
/** Japanese and Taiwanese eras, and the year before each era's first year. */
const ERAS: Record<string, number> = { 明治: 1867, 大正: 1911, 昭和: 1925, 平成: 1988, 令和: 2018, 民國: 1911 }
const ERA = /(明治|大正|昭和|平成|令和|民國)\s?(元|\d{1,3})年/gu
/** Years in the Buddhist calendar are 543 higher than in the Gregorian calendar. */
const BUDDHIST = 543

/** Finds integers, including numbers spelled out in the page's language, such as `vierzehn`. */
export function numbersIn(text: string, language: string): NumberInText[] {
  const digits = [...text.matchAll(DIGITS)].map(({ 0: written, index }) => ({
    value: Number(written.replace(/\D/gu, '')),
    start: index,
    end: index + written.length,
    isWord: false,
  }))
  return [...digits, ...numberWords(text, CARDINALS[language || 'en'])]
}

function numberWords(text: string, cardinals: Record<string, number> | undefined): NumberInText[] {
  if (!cardinals) return []
  const words = [...text.matchAll(/\p{L}[\p{L}\p{M}’'-]*/gu)]
  const found: NumberInText[] = []
  for (let at = 0; at < words.length; at++)
    for (const size of [3, 2, 1]) {
      const span = words.slice(at, at + size)
      const [first, last] = [span[0], span.at(-1)]
      if (!first || !last || span.length < size) continue
      const [start, end] = [first.index, last.index + last[0].length]
      const value = cardinals[spelling(text.slice(start, end))]
      if (value === undefined) continue
      found.push({ value, start, end, isWord: true })
      at += size - 1
      break
    }
  return found
}

/** Normalizes spelled-out cardinals for comparison: removes accents and hyphens, and ignores case. */
export const spelling = (text: string): string =>
  foldAccents(text)
    .toLowerCase()
    .replace(/[\s-]+/gu, ' ')

/** Finds years from 1600 to the current year, including years in the Japanese and Buddhist calendars. */
export function yearsIn(text: string, now: Date): NumberInText[] {
  const latest = now.getUTCFullYear()
  const eras = [...text.matchAll(ERA)].map(({ 0: written, 1: era = '', 2: year = '', index }) => ({
    value: (ERAS[era] ?? 0) + (year === '元' ? 1 : Number(year)),
    start: index,
    end: index + written.length,
    isWord: false,
  }))
  const years = [
    ...text.matchAll(/(?<![\p{N}.,/+#-])(1[6-9]\d\d|2[05]\d\d)(?![\p{N}]|[.,]\d|[-/]\d\d-| \d{3}(?!\d))/gu),
  ].map(({ 0: written, index }) => ({
    value: Number(written) > latest && /พ\.?ศ/u.test(text) ? Number(written) - BUDDHIST : Number(written),
    start: index,
    end: index + written.length,
    isWord: false,
  }))
  return [...eras, ...years].filter(({ value }) => value >= 1600 && value <= latest)
}

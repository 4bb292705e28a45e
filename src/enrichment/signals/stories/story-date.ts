import { monthOf } from './month-names.ts'

const ISO = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/u
const COMPACT = /(?<!\d)(20\d\d)(\d\d)(\d\d)(?=T\d{6}|\d{6}|\b)/u
/** Matches Chinese, Japanese and Korean dates: `2026年3月4日`, `2026년 3월 4일`. */
const CJK = /(?<!\d)(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/u
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.|er|[ºo]|-)?[\s-]*(?:de\s+|of\s+|d['’])?([\p{L}\p{M}]{3,12})\.?,?[\s-]+(?:de[l]?\s+)?(\d{4})(?!\d)/iu
const MONTH_FIRST = /([\p{L}\p{M}]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/iu
const YEAR_FIRST = /(?<!\d)(\d{4})[.,]?\s+(?:m\.\s+)?([\p{L}\p{M}]{3,12})\s+(\d{1,2})(?!\d)/iu
/** Matches `3 days ago`, `vor 3 Tagen`, `il y a 3 jours` and `hace 3 días`. Ages in minutes or hours mean today. */
const AGO =
  /\b(?:(\d{1,2}|an?|one) (minute|hour|day|week)s? ago|(?:vor|il y a|hace) (\d{1,2}|eine[rm]|une?|una?) (Minute|Stunde|Tag|Woche|minute|heure|jour|semaine|minuto|hora|día|semana)(?:e?n|s)?)\b/iu
const NUMBERS = /(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/u

export interface DateOptions {
  /** Language of the page, which determines the order of day and month in dates such as 3/11/2026. */
  language?: string | undefined
  /** Date on which the page was read (YYYY-MM-DD), for dates such as `3 days ago`. */
  today?: string | undefined
}

/**
 * Reads the date in a text as YYYY-MM-DD, in the publisher's time zone. Returns null if the date is missing, invalid
 * (31 February) or ambiguous (3/11/2026 in an unknown language).
 */
export function readDay(written: string, { language, today }: DateOptions = {}): string | null {
  const text = written.normalize('NFKC')
  const iso = ISO.exec(text) ?? COMPACT.exec(text) ?? CJK.exec(text)
  if (iso) return dayOf(iso[1], iso[2], iso[3])
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) return dayOf(dayFirst[3], monthOf(dayFirst[2] ?? ''), dayFirst[1])
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst) return dayOf(monthFirst[3], monthOf(monthFirst[1] ?? ''), monthFirst[2])
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst) return dayOf(yearFirst[1], monthOf(yearFirst[2] ?? ''), yearFirst[3])
  const numbers = NUMBERS.exec(text)
  if (!numbers) return today === undefined ? null : dayAgo(text, today)
  const [, first, mark, second, year] = numbers
  if (mark === '.' || Number(first) > 12) return dayOf(year, second, first)
  if (Number(second) > 12 || /^en-us$/iu.test(language ?? '')) return dayOf(year, first, second)
  if (first === second || (language !== undefined && !/^en$/iu.test(language))) return dayOf(year, second, first)
  return null
}

/** Parses the date in a URL such as /news/2026/11/03/title. Returns null if the URL contains no date. */
export function dayInUrl(url: string): string | null {
  const match = /\/(20\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=\D|$)/u.exec(url)
  return match ? dayOf(match[1], match[2], match[3]) : null
}

/** Returns whether a short text contains a date. */
export function isDateLine(text: string, options?: DateOptions): boolean {
  return text.length <= 40 && (/\p{Nd}{4}/u.test(text) || AGO.test(text)) && readDay(text, options) !== null
}

function dayAgo(text: string, today: string): string | null {
  const match = AGO.exec(text)
  if (!match) return null
  const count = Number(match[1] ?? match[3]) || 1
  const unit = match[2] ?? match[4] ?? ''
  const days = /^(?:d|t|j)/iu.test(unit) ? 1 : /^(?:w|sem)/iu.test(unit) ? 7 : 0
  return new Date(Date.parse(today) - count * days * 86_400_000).toISOString().slice(0, 10)
}

/**
 * Returns null for dates more than one day after the page was read, because such a date belongs to an event or comes
 * from a misconfigured clock. One day is allowed for time zone differences.
 */
export function notInFuture(day: string | null, readAt: string): string | null {
  return day !== null && Date.parse(day) > Date.parse(readAt) + 86_400_000 ? null : day
}

function dayOf(year?: string, month?: string | number, day?: string): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (y < 1990 || y > 2100 || m < 1 || m > 12 || d < 1) return null
  const date = new Date(Date.UTC(y, m - 1, d))
  return date.getUTCMonth() === m - 1 ? date.toISOString().slice(0, 10) : null
}

/** Returns the number of days between two dates; Infinity if one of them is unknown. */
export function daysApart(a: string | null, b: string | null): number {
  return a === null || b === null ? Number.POSITIVE_INFINITY : Math.abs(Date.parse(a) - Date.parse(b)) / 86_400_000
}

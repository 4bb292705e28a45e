/** Month names of the newsrooms met most, by their first letters. Longer names begin with these. */
const MONTHS: readonly RegExp[] = [
  /^(?:jan|ene|gen)/u,
  /^(?:feb|fév|fev)/u,
  /^(?:mar(?!t?i)|mär|mrz|maa|març)/u,
  /^(?:apr|avr|abr)/u,
  /^(?:may|mai|mag|mei)/u,
  /^(?:jun|juin|giu)/u,
  /^(?:jul|juil|lug)/u,
  /^(?:aug|aoû|aou|ago)/u,
  /^(?:sep|set)/u,
  /^(?:oct|okt|ott|out)/u,
  /^nov/u,
  /^(?:dec|dez|déc|dic)/u,
]
const ISO = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/u
const COMPACT = /(?<!\d)(20\d\d)(\d\d)(\d\d)(?=T\d{6}|\d{6}|\b)/u
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.|er|º)?\s+(?:de\s+|of\s+)?(\p{L}{3,12})\.?,?\s+(?:de\s+)?(\d{4})(?!\d)/iu
const MONTH_FIRST = /(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/iu
const NUMBERS = /(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/u

export interface DateOptions {
  /** Language of the page: tells 3/11 in the United States from 3/11 elsewhere. */
  language?: string | undefined
}

/**
 * The day in a text, as YYYY-MM-DD: the day the publisher wrote, in the publisher's own time zone. Null when there is none, when it
 * cannot be (31 February) or when it can be read two ways (3/11/2026 in no known language).
 */
export function readDay(text: string, { language }: DateOptions = {}): string | null {
  const iso = ISO.exec(text) ?? COMPACT.exec(text)
  if (iso) return dayOf(iso[1], iso[2], iso[3])
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) return dayOf(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst) return dayOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2])
  const numbers = NUMBERS.exec(text)
  if (!numbers) return null
  const [, first, mark, second, year] = numbers
  if (mark === '.' || Number(first) > 12) return dayOf(year, second, first)
  if (Number(second) > 12 || /^en-us$/iu.test(language ?? '')) return dayOf(year, first, second)
  if (first === second || (language !== undefined && !/^en$/iu.test(language))) return dayOf(year, second, first)
  return null
}

/** The day in an address such as /news/2026/11/03/title. */
export function dayInUrl(url: string): string | null {
  const match = /\/(20\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=\D|$)/u.exec(url)
  return match ? dayOf(match[1], match[2], match[3]) : null
}

/** Whether a text is a date and hardly anything else. */
export function isDateLine(text: string, options?: DateOptions): boolean {
  return text.length <= 40 && /\d{4}/u.test(text) && readDay(text, options) !== null
}

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((pattern) => pattern.test((name ?? '').toLowerCase())) + 1
}

function dayOf(year?: string, month?: string | number, day?: string): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (y < 1990 || y > 2100 || m < 1 || m > 12 || d < 1) return null
  const date = new Date(Date.UTC(y, m - 1, d))
  return date.getUTCMonth() === m - 1 ? date.toISOString().slice(0, 10) : null
}

/** Whole days between two days, without sign; Infinity when one is not known. */
export function daysApart(a: string | null, b: string | null): number {
  return a === null || b === null ? Number.POSITIVE_INFINITY : Math.abs(Date.parse(a) - Date.parse(b)) / 86_400_000
}

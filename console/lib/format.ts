const LOCALE = 'en-US'
const whole = new Intl.NumberFormat(LOCALE)
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })
const DATE_TIME = { dateStyle: 'medium', timeStyle: 'short' } as const
const dateTime = new Intl.DateTimeFormat(LOCALE, DATE_TIME)
const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' })
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const decimal = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 })
const compactMoney = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})

export const formatNumber = (value: number): string => whole.format(value)
/** Formats a number with up to six decimal places. */
export const formatDecimal = (value: number): string => decimal.format(value)
/** Formats an amount of US dollars, such as `$1.2B`. */
export const formatMoney = (usd: number): string => compactMoney.format(usd)
export const formatPercent = (share: number): string => `${Math.round(share * 100)}%`
/** Formats a time in a time zone. @default the browser's time zone */
export const formatDateTime = (iso: string, timeZone?: string): string =>
  (timeZone ? new Intl.DateTimeFormat(LOCALE, { ...DATE_TIME, timeZone }) : dateTime).format(new Date(iso))
export const formatExact = (iso: string): string => exact.format(new Date(iso))
/** Formats a date without a time, such as 2026-11-22. */
export const formatDay = (date: string): string => day.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))

/** Formats a recent date without its year, for charts. */
export const formatShortDay = (date: string): string => shortDay.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))

/** Expands PostgreSQL's abbreviation of months in an interval: `1 mon` -> `1 month`. */
export const formatPeriod = (interval: string): string => interval.replace(/\bmon(s?)\b/, 'month$1')

/** Formats a count with its noun: `1 account`, `2 accounts`. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : nouns}`

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Formats a time relative to now: `5 minutes ago`, `in 3 hours`. */
export function formatRelative(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.round(seconds / size), unit)
}

/** Formats a duration: `12 ms`, `0.4 s`, `6.7 s`, `2 m 05 s`, `1 h 02 m`. */
export function formatDuration(seconds: number): string {
  if (seconds > 0 && seconds < 0.1) return `${Math.max(1, Math.round(seconds * 1000))} ms`
  if (seconds < 60) return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`
  const total = Math.round(seconds)
  const pad = (value: number) => String(value).padStart(2, '0')
  if (total < 3600) return `${Math.floor(total / 60)} m ${pad(total % 60)} s`
  return `${Math.floor(total / 3600)} h ${pad(Math.floor((total % 3600) / 60))} m`
}

/** Formats a field name as a label: `headquarters_city` becomes `Headquarters city`. */
export function formatField(name: string): string {
  const text = name
    .replaceAll('_', ' ')
    .replace(/\burl\b/, 'URL')
    .replace(/\bformadv\b/, 'Form ADV')
    .replace(/\b(aum|crd|lei|cik|sec|usd)\b/g, (word) => word.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Control and format characters, such as bidirectional overrides, that can hide or reorder surrounding text. */
const UNPRINTABLE = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** Returns external text without characters that could imitate other text. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, '\ufffd')

/** Returns a web address that is safe to link to; undefined for any other scheme. */
export const webAddress = (url: string | null | undefined): string | undefined =>
  url && /^https?:\/\//i.test(url) ? url : undefined

import { parseTimestamp } from '../../src/lib/timestamps.ts'

/** Epoch seconds from 1973 to 2286. Longer numbers are milliseconds or microseconds. */
const SECONDS = /^\d{9,10}(\.\d+)?$/
const MILLISECONDS = /^\d{12,13}(\.\d+)?$/
const MICROSECONDS = /^\d{15,16}$/
/** RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * Converts a timestamp from any host to UTC with microsecond precision. Accepts ISO 8601 (without an offset, UTC is
 * assumed), an HTTP date, and epoch seconds, milliseconds or microseconds as a number or text. Returns undefined for
 * other values.
 */
export function hostTime(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  if (SECONDS.test(text)) return fromMicros(Number(text) * 1e6)
  if (MILLISECONDS.test(text)) return fromMicros(Number(text) * 1e3)
  if (MICROSECONDS.test(text)) return fromMicros(Number(text))
  if (typeof value === 'number') return undefined
  return parseTimestamp(text.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')) ?? httpDate(text)
}

const httpDate = (text: string): string | undefined =>
  HTTP_DATE.test(text) ? fromMicros(Date.parse(text) * 1e3) : undefined

function fromMicros(micros: number): string | undefined {
  const whole = Math.floor(micros)
  const date = new Date(Math.floor(whole / 1000))
  if (Number.isNaN(date.getTime())) return undefined
  return date.toISOString().replace('Z', `${String(whole % 1000).padStart(3, '0')}Z`)
}

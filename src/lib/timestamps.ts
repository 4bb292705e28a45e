const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/**
 * Normalizes an ISO 8601 timestamp to UTC with microseconds. A date without a time means midnight, and a missing offset
 * means UTC. Truncates instead of rounding, because a watermark that is rounded up would skip rows. Returns undefined
 * if the text is invalid.
 */
export function parseTimestamp(text: string): string | undefined {
  const match = ISO.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const time = `${hour}:${minute}:${second}`
  const local = new Date(`${year}-${month}-${day}T${time}Z`)
  // `Date` would convert 30 February to 2 March.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const utc = new Date(local.getTime() - offset * 60_000)
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const total = Number(hours) * 60 + Number(minutes)
  if (total > 18 * 60 || Number(minutes) > 59) return undefined
  return sign === '-' ? -total : total
}

/** Reports whether the text is a valid date (`2026-02-28`) within PostgreSQL's range. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) || text.startsWith('0000')) return false
  if (text.slice(8) <= '28') return true
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Formats a Date as ISO 8601 with microseconds, like timestamps from the database. */
export const isoMicros = (moment: Date): string => moment.toISOString().replace('Z', '000Z')

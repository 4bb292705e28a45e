import { AppError } from '../../lib/errors.ts'
import { parseTimestamp } from '../../lib/timestamps.ts'

const SECONDS = { h: 3600, d: 86_400, w: 604_800 }

/**
 * Parses a point in time given as `90d`, `12h` or `2w` from now (`sign` 1) or ago (-1), or as an ISO 8601 timestamp.
 * Throws `invalid_request` with the option's name.
 */
export function pointInTime(text: string, option: string, sign: 1 | -1, now = Date.now()): string {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  if (count) return new Date(now + sign * Number(count) * SECONDS[unit as keyof typeof SECONDS] * 1000).toISOString()
  const time = parseTimestamp(text)
  if (time !== undefined) return time
  throw new AppError(
    'invalid_request',
    `${option} must be a duration such as 12h, 90d or 2w, or an ISO 8601 timestamp.`,
  )
}

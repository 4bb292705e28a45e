/**
 * Formats a time in a time zone, to the second and followed by the zone's name: `2026-11-24 02:00:00 Europe/Berlin`.
 */
export const formatLocalTime = (time: Date, timeZone: string): string =>
  // The Swedish locale formats dates in ISO 8601 order.
  `${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(time)} ${timeZone}`

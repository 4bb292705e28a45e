/**
 * The watermark minus the overlap, with microseconds. A service that orders events by clock time may publish an event
 * late, below the watermark. Events that are fetched twice are recognized by their keys.
 */
export function overlapBefore(watermark: string, minutes: number): string {
  const [, micros = '000'] = /\.\d{3}(\d{3})Z$/.exec(watermark) ?? []
  const earlier = new Date(Date.parse(watermark) - minutes * 60_000).toISOString()
  return earlier.replace('Z', `${micros}Z`)
}

/**
 * Returns the watermark minus the overlap, with microsecond precision. The overlap finds events that a service
 * publishes late, with times before the watermark. Events that are fetched twice are deduplicated by their keys.
 */
export function overlapBefore(watermark: string, minutes: number): string {
  const [, micros = '000'] = /\.\d{3}(\d{3})Z$/.exec(watermark) ?? []
  const earlier = new Date(Date.parse(watermark) - minutes * 60_000).toISOString()
  return earlier.replace('Z', `${micros}Z`)
}

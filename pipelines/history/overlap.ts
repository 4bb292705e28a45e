/**
 * The watermark minus the overlap, with microseconds: a host that orders events by clock time may show an event late,
 * below the watermark. Events that arrive twice are recognized by their key.
 */
export function overlapBefore(watermark: string, minutes: number): string {
  const [, micros = '000'] = /\.\d{3}(\d{3})Z$/.exec(watermark) ?? []
  const earlier = new Date(Date.parse(watermark) - minutes * 60_000).toISOString()
  return earlier.replace('Z', `${micros}Z`)
}

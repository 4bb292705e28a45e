/**
 * The watermark moved back by so many minutes, microseconds kept: a host that orders by the clock may show an event late, below a point
 * that was read already. What comes twice is known by its key.
 */
export function overlapBefore(watermark: string, minutes: number): string {
  const [, micros = '000'] = /\.\d{3}(\d{3})Z$/.exec(watermark) ?? []
  const earlier = new Date(Date.parse(watermark) - minutes * 60_000).toISOString()
  return earlier.replace('Z', `${micros}Z`)
}

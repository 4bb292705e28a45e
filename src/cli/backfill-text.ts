import type { Backfill } from '../../pipelines/backfill/store.ts'

const percent = (actual: number, expected: number): string => {
  const change = Math.round((actual / Math.max(expected, 1e-9) - 1) * 100)
  return `${change >= 0 ? '+' : ''}${change} %`
}

const minutes = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds * 10) / 10} s` : `${Math.round(seconds / 6) / 10} min`

/** A backfill in a few lines: what it is to do, what it has done, and the estimate against it. */
export function backfillText(of: Backfill): string {
  return [
    `Backfill ${of.id}, ${of.what}${of.from_at ? ` from ${of.from_at.slice(0, 10)}` : ''}: ${of.state}, ${of.parts_done} of ${of.parts} parts done${of.parts_failed > 0 ? `, ${of.parts_failed} failed` : ''}`,
    `  estimate: ${of.estimated_requests} requests, ${of.estimated_units} units, ${minutes(of.estimated_seconds)}`,
    `  because:  ${of.why}`,
    ...(of.parts_done > 0
      ? [
          `  actual:   ${of.requests} requests (${percent(of.requests, of.expected_so_far)} on what was expected of these parts), ${minutes(of.seconds)}; ${of.inserted} rows new, ${of.updated} changed, ${of.unchanged} as before`,
        ]
      : []),
  ].join('\n')
}

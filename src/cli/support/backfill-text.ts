import type { Backfill } from '../../../pipelines/backfill/store.ts'
import { formatRows } from './output.ts'

const percent = (actual: number, expected: number): string => {
  const change = Math.round((actual / Math.max(expected, 1e-9) - 1) * 100)
  return `${change >= 0 ? '+' : ''}${change} %`
}

const time = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds * 10) / 10} s` : `${Math.round(seconds / 6) / 10} min`

/** A backfill in a few lines: what it is to do, what it has done, and the estimate against it. */
export function backfillText(of: Backfill): string {
  const failed = of.parts_failed > 0 ? `, ${of.parts_failed} failed` : ''
  return [
    `Backfill ${of.id}, ${of.dataset}${of.from_at ? ` from ${of.from_at.slice(0, 10)}` : ''}: ${of.state}, ${of.parts_done} of ${of.parts} parts done${failed}`,
    indent(formatRows(estimateAndActual(of), 'table')),
    `  because: ${of.estimate_basis}`,
    ...(of.parts_done > 0 ? [`  rows:    ${of.inserted} new, ${of.updated} changed, ${of.unchanged} as before`] : []),
    ...(of.lost_requests > 0
      ? [
          `  beside:  ${of.lost_requests} requests and ${time(of.lost_seconds)} of attempts that were cut off, failed or are under way`,
        ]
      : []),
  ].join('\n')
}

/** Actual figures are of the parts that are done, and compared with what those were expected to take. Reading costs no units. */
function estimateAndActual(of: Backfill): Record<string, unknown>[] {
  const estimate = {
    '': 'estimate',
    requests: String(of.estimated_requests),
    units: String(of.estimated_units),
    time: time(of.estimated_seconds),
  }
  if (of.parts_done === 0) return [estimate]
  const expectedSeconds = of.estimated_seconds * (of.expected_so_far / Math.max(1, of.estimated_requests))
  return [
    estimate,
    { '': 'actual', requests: String(of.requests), units: '0', time: time(of.seconds) },
    {
      '': of.parts_done < of.parts ? 'of the parts done' : 'difference',
      requests: percent(of.requests, of.expected_so_far),
      units: '',
      time: percent(of.seconds, expectedSeconds),
    },
  ]
}

const indent = (text: string): string => text.replaceAll(/^ ?/gm, '  ')

import type { Backfill } from '../../../pipelines/backfill/store.ts'
import { formatRows } from './output.ts'

const percent = (actual: number, expected: number): string => {
  const change = Math.round((actual / Math.max(expected, 1e-9) - 1) * 100)
  return `${change >= 0 ? '+' : ''}${change}%`
}

const time = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds * 10) / 10} s` : `${Math.round(seconds / 6) / 10} min`

/** Formats a backfill as text: state, estimated and actual cost, and rows. */
export function backfillText(of: Backfill): string {
  const failed = of.parts_failed > 0 ? `, ${of.parts_failed} failed` : ''
  return [
    `Backfill ${of.id}, ${of.dataset}${of.from_at ? ` from ${of.from_at.slice(0, 10)}` : ''}: ${of.state}, ${of.parts_done} of ${of.parts} parts done${failed}`,
    indent(formatRows(estimateAndActual(of), 'table')),
    `  basis:   ${of.estimate_basis}`,
    ...(of.parts_done > 0
      ? [`  rows:    ${of.inserted} inserted, ${of.updated} updated, ${of.unchanged} unchanged`]
      : []),
    ...(of.lost_requests > 0
      ? [
          `  other:   ${of.lost_requests} requests and ${time(of.lost_seconds)} in interrupted, failed or running attempts`,
        ]
      : []),
  ].join('\n')
}

/** Actual figures cover the completed parts and are compared with the estimate for the same parts. Reads are free. */
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
      '': of.parts_done < of.parts ? 'difference so far' : 'difference',
      requests: percent(of.requests, of.expected_so_far),
      units: '',
      time: percent(of.seconds, expectedSeconds),
    },
  ]
}

const indent = (text: string): string => text.replaceAll(/^ ?/gm, '  ')

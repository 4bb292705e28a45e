import type { Run } from '../../../pipelines/runner/runs.ts'
import { formatRows } from './output.ts'

const COUNTS = ['inserted', 'updated', 'unchanged', 'gone', 'quarantined', 'requests', 'units'] as const

/** Formats a run as text: outcome, counts and reasons. */
export function runText(run: Run): string {
  const counts = COUNTS.filter(
    (name) => run[name] > 0 || ['inserted', 'updated', 'unchanged', 'gone', 'requests'].includes(name),
  )
  return [
    `Run ${run.id}, ${run.pipeline}: ${run.outcome ?? run.state} in ${secondsOf(run)} s`,
    `  ${counts.map((name) => `${run[name]} ${name}`).join(', ')}`,
    ...run.reasons.map((reason) => `  ! ${reason}`),
    ...(run.error_message ? [`  ! ${run.error_message}`] : []),
  ].join('\n')
}

/** Duration in seconds; for a run in progress, up to the last heartbeat. */
export function secondsOf(run: Pick<Run, 'started_at' | 'ended_at' | 'heartbeat_at'>): number {
  const end = Date.parse(run.ended_at ?? run.heartbeat_at)
  return Math.round((end - Date.parse(run.started_at)) / 100) / 10
}

/**
 * Formats a run's steps and their total as a table, including the reasons for outcomes other than `ok`. A step with one
 * attempt is omitted if the run's reasons include the step's reason. Returns an empty string if the run has no steps.
 */
export function stepsText(run: Run, steps: readonly Run[]): string {
  if (steps.length === 0) return ''
  const table = formatRows([...steps.map(figures), { ...figures(run), step: 'total' }], 'table')
  const reasons = steps.flatMap(({ started_at, pipeline, state, outcome, error_message, reasons }) => {
    const isOnlyAttempt = steps.filter((step) => step.pipeline === pipeline).length === 1
    const all = [...(error_message ? [error_message] : []), ...reasons]
    const isInRun = (reason: string): boolean =>
      [`${pipeline}: ${reason}`, `${pipeline} failed: ${reason}`].some((text) => run.reasons.includes(text))
    const added = all.filter((reason) => !isOnlyAttempt || !isInRun(reason))
    return added.map((reason) => `  ${started_at} ${pipeline} ${outcome ?? state}: ${reason}`)
  })
  return [table, ...reasons].join('\n')
}

const figures = (of: Run) => ({
  step: of.pipeline,
  outcome: of.outcome ?? of.state,
  requests: of.requests,
  units: of.units,
  inserted: of.inserted,
  updated: of.updated,
  unchanged: of.unchanged,
  gone: of.gone,
  quarantined: of.quarantined,
  seconds: secondsOf(of),
})

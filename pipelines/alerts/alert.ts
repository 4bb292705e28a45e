import { printable } from '../../src/lib/control-characters.ts'
import type { Run } from '../runner/runs.ts'

/** A message to operators about a pipeline. `recovered` follows an earlier alert about the same pipeline. */
export interface Alert {
  status: 'failed' | 'degraded' | 'abandoned' | 'recovered' | 'test'
  pipeline: string
  /** One line. */
  summary: string
  reasons: readonly string[]
  /** Name of the installation. */
  source: string
}

/** A destination for alerts. */
export interface Channel {
  name: string
  /** Throws if the alert was not accepted: a `retryable` AppError if another attempt may succeed. */
  send(alert: Alert): Promise<void>
}

const MAX_REASONS = 10

/**
 * The alert about a run that ended. Undefined if both the run and the previous run were ok, or if the run was
 * interrupted on request.
 */
export function alertOf(run: Run, previous: Run | undefined, source: string): Alert | undefined {
  const { pipeline } = run
  const about = `${pipeline} %s (run ${run.id}, started ${run.started_at})`
  if (run.outcome === 'ok')
    return previous === undefined || previous.outcome === 'ok'
      ? undefined
      : { status: 'recovered', pipeline, summary: about.replace('%s', 'is ok again'), reasons: [], source }
  const status = run.state === 'abandoned' ? 'abandoned' : run.outcome
  if (status === null) return undefined
  const reasons = run.error_message === null ? run.reasons : [run.error_message, ...run.reasons]
  const text = status === 'abandoned' ? 'was abandoned, because its process died' : status
  return { status, pipeline, summary: about.replace('%s', text), reasons: limited(reasons), source }
}

/** Makes reasons printable and limits their number, because they can contain text from other hosts. */
function limited(reasons: readonly string[]): string[] {
  const more = reasons.length - MAX_REASONS
  return [...reasons.slice(0, MAX_REASONS).map(printable), ...(more > 0 ? [`... and ${more} more`] : [])]
}

/** The alert about a run that could not be recorded, for example because the database is down. */
export const notStarted = (pipeline: string, reason: string, source: string): Alert => ({
  status: 'failed',
  pipeline,
  summary: `${pipeline} could not start`,
  reasons: limited([reason]),
  source,
})

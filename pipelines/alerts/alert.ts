import { printable } from '../../src/lib/control-characters.ts'
import { formatLocalTime } from '../../src/lib/local-time.ts'
import type { Run } from '../runner/runs.ts'

/** A message to operators about a pipeline. `recovered` follows an earlier alert about the same pipeline. */
export interface Alert {
  status: 'failed' | 'degraded' | 'abandoned' | 'recovered' | 'test'
  pipeline: string
  /** One line. */
  summary: string
  reasons: readonly string[]
  /** The command that shows the details. */
  command?: string
  /** Name of the installation. */
  source: string
}

/**
 * The lines of an alert: its summary, its reasons, each with the given prefix, and the command that shows the details.
 */
export const linesOf = ({ summary, reasons, command }: Alert, prefix: string): string[] => [
  summary,
  ...reasons.map((reason) => `${prefix}${reason}`),
  ...(command === undefined ? [] : [`Details: ${command}`]),
]

/** A destination for alerts. */
export interface Channel {
  name: string
  /** Throws if the alert was not accepted: a `retryable` AppError if another attempt may succeed. */
  send(alert: Alert): Promise<void>
}

const MAX_REASONS = 10

/** The installation that sends an alert. */
export interface Origin {
  /** Name of the installation. */
  source: string
  /** Time zone of the times in alerts, such as Europe/Berlin. */
  timeZone: string
}

/**
 * Builds the alert for a finished run. Returns undefined if both the run and the previous run were ok, or if the run
 * was interrupted on request.
 */
export function alertOf(run: Run, previous: Run | undefined, { source, timeZone }: Origin): Alert | undefined {
  const { pipeline } = run
  const about = `${pipeline} %s (run ${run.id}, started ${formatLocalTime(new Date(run.started_at), timeZone)})`
  if (run.outcome === 'ok')
    return previous === undefined || previous.outcome === 'ok'
      ? undefined
      : { status: 'recovered', pipeline, summary: about.replace('%s', 'is ok again'), reasons: [], source }
  const status = run.state === 'abandoned' ? 'abandoned' : run.outcome
  if (status === null) return undefined
  const reasons = run.error_message === null ? run.reasons : [run.error_message, ...run.reasons]
  const text = status === 'abandoned' ? 'was abandoned, because its process died' : status
  const command = `talhouse runs show ${run.id}`
  return { status, pipeline, summary: about.replace('%s', text), reasons: limited(reasons), command, source }
}

/** Makes reasons printable and limits their number, because reasons can contain text from other hosts. */
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
  command: 'talhouse doctor',
  source,
})

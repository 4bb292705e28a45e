import type { Gathered } from '../findings/gather.ts'
import type { FieldGroup, ProviderStatus } from '../findings/provider.ts'

export type Outcome = 'complete' | 'partial' | 'not_found' | 'failed'

/** The outcome for one group. `failed` means that a source was unavailable, so the result is unknown. */
export type GroupOutcome = 'found' | 'not_found' | 'failed'

export interface JudgedOutcome {
  outcome: Outcome
  /** Human-readable list of missing groups and failed sources; null if the result is complete. */
  reason: string | null
  groups: Partial<Record<FieldGroup, GroupOutcome>>
  /** True if no data was found because a source was unavailable, so a later request may succeed. */
  retryable: boolean
}

/**
 * Determines the outcome of an enrichment from the groups found and the source results. The outcome is also `partial`
 * if all groups were found but a source was unavailable.
 */
export function judgeOutcome(
  gathered: Gathered,
  found: Readonly<Record<FieldGroup, boolean>>,
  /** Sources that were skipped because their last query failed. */
  backingOff: readonly string[] = [],
): JudgedOutcome {
  const isUnavailable = gathered.answers.some(({ status }) => status === 'unavailable')
  const incomplete = isUnavailable || backingOff.length > 0
  const groups: JudgedOutcome['groups'] = {}
  for (const group of gathered.groups) groups[group] = found[group] ? 'found' : incomplete ? 'failed' : 'not_found'
  const missing = gathered.groups.filter((group) => groups[group] !== 'found')
  const nothing = missing.length === gathered.groups.length
  const outcome = nothing
    ? incomplete
      ? 'failed'
      : 'not_found'
    : missing.length > 0 || incomplete
      ? 'partial'
      : 'complete'
  const notes = gathered.answers
    .filter(({ status, reason }) => ALWAYS_REPORTED.has(status) || (missing.length > 0 && reason !== null))
    .toSorted((a, b) => REPORT_ORDER.indexOf(a.status) - REPORT_ORDER.indexOf(b.status))
    .map(({ provider, status, reason }) => `${provider}: ${reason ?? status.replace('_', ' ')}`)
  notes.unshift(...backingOff.map((provider) => `${provider}: unavailable at the last attempt, will be retried later`))
  const lines = missing.length > 0 ? [`not found: ${missing.map(labelOf).join(', ')}`, ...notes] : notes
  return {
    outcome,
    reason: lines.length > 0 ? lines.join('; ') : null,
    groups,
    retryable: nothing && isUnavailable,
  }
}

/** Statuses that are reported even if all groups were found. */
const ALWAYS_REPORTED: ReadonlySet<ProviderStatus> = new Set(['unavailable', 'refused'])
/** Order of statuses in the reason, failures first. */
const REPORT_ORDER: readonly ProviderStatus[] = ['unavailable', 'refused', 'found', 'not_found']

const labelOf = (group: FieldGroup): string => (group === 'company' ? 'company fields' : group)

const HOUR = 3_600_000
const MAX_WAIT = 7 * 24 * HOUR

/**
 * Earliest time of the next paid attempt. The wait doubles with each consecutive failure: 1, 2, 4, ... hours, at most
 * one week.
 */
export function retryAt(now: Date, failedAttempts: number): string {
  const wait = Math.min(MAX_WAIT, HOUR * 2 ** Math.min(30, failedAttempts - 1))
  return new Date(now.getTime() + wait).toISOString()
}

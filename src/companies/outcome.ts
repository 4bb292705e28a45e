import type { Gathered } from '../findings/gather.ts'
import type { FieldGroup, ProviderStatus } from '../findings/provider.ts'

export type Outcome = 'complete' | 'partial' | 'not_found' | 'failed'

/** How the search for one group ended. `failed`: a source could not be reached, so nothing can be said. */
export type GroupOutcome = 'found' | 'not_found' | 'failed'

export interface JudgedOutcome {
  outcome: Outcome
  /** What is missing, and which source did not say what it could, in words for a person; null when nothing is. */
  reason: string | null
  groups: Partial<Record<FieldGroup, GroupOutcome>>
  /** Nothing was found, and that is why: the same request may succeed later. */
  retryable: boolean
}

/**
 * How an enrichment ended, from what is believed of each group now and how the sources answered. It is `partial`, too, when
 * all is found and a source was away.
 */
export function judgeOutcome(
  gathered: Gathered,
  found: Readonly<Record<FieldGroup, boolean>>,
  /** Sources that were away when they were last asked, and were not asked this time. */
  backingOff: readonly string[] = [],
): JudgedOutcome {
  const isAway = gathered.answers.some(({ status }) => status === 'unavailable')
  const away = isAway || backingOff.length > 0
  const groups: JudgedOutcome['groups'] = {}
  for (const group of gathered.groups) groups[group] = found[group] ? 'found' : away ? 'failed' : 'not_found'
  const missing = gathered.groups.filter((group) => groups[group] !== 'found')
  const nothing = missing.length === gathered.groups.length
  const outcome = nothing ? (away ? 'failed' : 'not_found') : missing.length > 0 || away ? 'partial' : 'complete'
  const notes = gathered.answers
    .filter(({ status, reason }) => ALWAYS_REPORTED.has(status) || (missing.length > 0 && reason !== null))
    .toSorted((a, b) => REPORT_ORDER.indexOf(a.status) - REPORT_ORDER.indexOf(b.status))
    .map(({ provider, status, reason }) => `${provider}: ${reason ?? status.replace('_', ' ')}`)
  notes.unshift(
    ...backingOff.map((provider) => `${provider}: was away when it was last asked, and is left alone for now`),
  )
  const lines = missing.length > 0 ? [`not found: ${missing.map(labelOf).join(', ')}`, ...notes] : notes
  return {
    outcome,
    reason: lines.length > 0 ? lines.join('; ') : null,
    groups,
    retryable: nothing && isAway,
  }
}

/** Told even when all was found. */
const ALWAYS_REPORTED: ReadonlySet<ProviderStatus> = new Set(['unavailable', 'refused'])
/** What may pass and what is forbidden before what does not exist. */
const REPORT_ORDER: readonly ProviderStatus[] = ['unavailable', 'refused', 'found', 'not_found']

const labelOf = (group: FieldGroup): string => (group === 'company' ? 'company fields' : group)

const HOUR = 3_600_000
const MAX_WAIT = 7 * 24 * HOUR

/** When a company that failed so often in a row is worth another try: after 1, 2, 4, ... hours, a week at the most. */
export function retryAt(now: Date, failedAttempts: number): string {
  const wait = Math.min(MAX_WAIT, HOUR * 2 ** Math.min(30, failedAttempts - 1))
  return new Date(now.getTime() + wait).toISOString()
}

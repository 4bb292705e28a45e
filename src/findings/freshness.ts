import type { FieldGroup, Provider, ProviderStatus } from './provider.ts'

/** One provider's last result for a company. */
export interface LastAnswer {
  provider: string
  /** The groups that were requested. The result does not cover others. */
  groups: readonly FieldGroup[]
  status: ProviderStatus
  /** ISO 8601, UTC. */
  checked_at: string
  /** Number of consecutive `unavailable` results, including this one. */
  failures: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MARGIN = 0.9

/**
 * The names of due providers: all providers of the requested groups if forced, otherwise those whose last result is
 * older than their `recheckAfterDays`, covered fewer groups, or failed long enough ago. `maxAgeDays` is the age at
 * which the caller treats the record as stale. A provider is due no later than that, so a paid enrichment of a stale
 * record always queries providers.
 */
export function dueProviders(
  providers: readonly Provider[],
  wanted: ReadonlySet<FieldGroup>,
  lastAnswers: readonly LastAnswer[],
  { now, force = false, maxAgeDays = Number.POSITIVE_INFINITY }: { now: Date; force?: boolean; maxAgeDays?: number },
): Set<string> {
  const relevant = providers.filter(({ groups }) => [...groups].some((group) => wanted.has(group)))
  const due = relevant.filter((provider) => {
    if (force) return true
    const last = lastAnswers.find((answer) => answer.provider === provider.name)
    if (!last) return true
    // Failed requests are retried regardless of their groups.
    const isNarrower =
      last.status !== 'unavailable' &&
      [...wanted].some((group) => provider.groups.has(group) && !last.groups.includes(group))
    return isNarrower || now.getTime() >= Date.parse(last.checked_at) + restFor(provider, last, maxAgeDays)
  })
  return new Set(due.map(({ name }) => name))
}

/**
 * Milliseconds until the provider is due again. An unavailable source is retried after 1, 2, 4, … hours, but no later
 * than a result would be rechecked.
 */
function restFor(provider: Provider, { status, failures }: LastAnswer, maxAgeDays: number): number {
  // A record is dated by the start of its enrichment, and results are slightly newer. The margin covers the difference.
  const age = Math.min(provider.recheckAfterDays, maxAgeDays * MARGIN) * DAY
  return status === 'unavailable' ? Math.min(age, HOUR * 2 ** (Math.max(1, failures) - 1)) : age
}

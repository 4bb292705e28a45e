import type { FieldGroup, Provider, ProviderStatus } from './provider.ts'

/** One provider's last result for a company. */
export interface LastAnswer {
  provider: string
  /** The groups that were requested. The result covers no other groups. */
  groups: readonly FieldGroup[]
  status: ProviderStatus
  /** Time of the query: ISO 8601, UTC. */
  checked_at: string
  /** Number of consecutive `unavailable` results, including this result. */
  failures: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MARGIN = 0.9

/**
 * Returns the names of due providers. If forced, returns all providers of the requested groups. Otherwise, a provider
 * is due if it has no result, if its last result is older than its `recheckAfterDays` or covers fewer groups, or if its
 * retry delay after a failure has passed. `maxAgeDays` is the age at which the caller treats the record as stale. A
 * provider is due once its last result reaches this age, so a paid enrichment of a stale record always queries
 * providers.
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
    // After a failure, the retry delay applies regardless of the groups requested.
    const isNarrower =
      last.status !== 'unavailable' &&
      [...wanted].some((group) => provider.groups.has(group) && !last.groups.includes(group))
    return isNarrower || now.getTime() >= Date.parse(last.checked_at) + restFor(provider, last, maxAgeDays)
  })
  return new Set(due.map(({ name }) => name))
}

/**
 * Milliseconds from the last query until the provider is due again. An unavailable source is retried after 1, 2, 4, …
 * hours. The delay never exceeds the interval after a successful result.
 */
function restFor(provider: Provider, { status, failures }: LastAnswer, maxAgeDays: number): number {
  // A record's timestamp is the start of its enrichment, so its provider results are slightly newer. The margin covers
  // the difference.
  const age = Math.min(provider.recheckAfterDays, maxAgeDays * MARGIN) * DAY
  return status === 'unavailable' ? Math.min(age, HOUR * 2 ** (Math.max(1, failures) - 1)) : age
}

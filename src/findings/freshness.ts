import type { FieldGroup, Provider, ProviderStatus } from './provider.ts'

/** The last answer of one provider about one company. */
export interface LastAnswer {
  provider: string
  /** The requested groups: an answer says nothing about others. */
  groups: readonly FieldGroup[]
  status: ProviderStatus
  /** ISO 8601, UTC. */
  checked_at: string
  /** Consecutive `unavailable` answers, this one included. */
  failures: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MARGIN = 0.9

/**
 * The names of the due providers: all concerned when forced, otherwise those whose answer is older than their maximum
 * age, covered fewer groups, or failed long enough ago. `staleDays` is the age at which the caller treats the record as
 * stale: a paid enrichment of a stale record is never answered from providers that are not due.
 */
export function dueProviders(
  providers: readonly Provider[],
  wanted: ReadonlySet<FieldGroup>,
  lastAnswers: readonly LastAnswer[],
  { now, force = false, staleDays = Number.POSITIVE_INFINITY }: { now: Date; force?: boolean; staleDays?: number },
): Set<string> {
  const concerned = providers.filter(({ groups }) => [...groups].some((group) => wanted.has(group)))
  const due = concerned.filter((provider) => {
    if (force) return true
    const last = lastAnswers.find((answer) => answer.provider === provider.name)
    if (!last) return true
    // The groups of a failed request do not matter.
    const isNarrower =
      last.status !== 'unavailable' &&
      [...wanted].some((group) => provider.groups.has(group) && !last.groups.includes(group))
    return isNarrower || now.getTime() >= Date.parse(last.checked_at) + restFor(provider, last, staleDays)
  })
  return new Set(due.map(({ name }) => name))
}

/** An unavailable source is retried after 1, 2, 4, … hours, at most its maximum age. */
function restFor(provider: Provider, { status, failures }: LastAnswer, staleDays: number): number {
  // A record is as old as the start of its enrichment, and an answer is younger: the margin covers the difference.
  const age = Math.min(provider.maxAgeDays, staleDays * MARGIN) * DAY
  return status === 'unavailable' ? Math.min(age, HOUR * 2 ** (Math.max(1, failures) - 1)) : age
}

import type { FieldGroup, Provider, ProviderStatus } from './provider.ts'

/** The last answer of one provider about one company, as the records keep it. */
export interface LastAnswer {
  provider: string
  /** What it was asked for then: an answer says nothing about a group that was not asked for. */
  groups: readonly FieldGroup[]
  status: ProviderStatus
  /** ISO 8601, UTC. */
  checked_at: string
  /** How many answers in a row have been `unavailable`, this one included. */
  failures: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MARGIN = 0.9

/**
 * The names of the providers to ask now: all of the concerned when forced, else those whose answer is older than their own
 * age, was given to a narrower question, or failed long enough ago. `staleDays` is the age at which the asker calls the record stale: a
 * look that is paid for because the record is stale is never answered by sources that rest.
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
    // Of a source that was away it does not matter what it was asked for.
    const isNarrower =
      last.status !== 'unavailable' &&
      [...wanted].some((group) => provider.groups.has(group) && !last.groups.includes(group))
    return isNarrower || now.getTime() >= Date.parse(last.checked_at) + restFor(provider, last, staleDays)
  })
  return new Set(due.map(({ name }) => name))
}

/** A source that could not be reached is tried again after 1, 2, 4, ... hours, though never later than its age asks. */
function restFor(provider: Provider, { status, failures }: LastAnswer, staleDays: number): number {
  // A record is as old as the beginning of the look that made it, an answer is younger: the margin makes up for it.
  const age = Math.min(provider.maxAgeDays, staleDays * MARGIN) * DAY
  return status === 'unavailable' ? Math.min(age, HOUR * 2 ** (Math.max(1, failures) - 1)) : age
}

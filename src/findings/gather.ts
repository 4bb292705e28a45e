import type { Clock } from '../lib/clock.ts'
import { systemClock } from '../lib/clock.ts'
import { messageOf } from '../lib/errors.ts'
import { isoMicros } from '../lib/timestamps.ts'
import type {
  FieldGroup,
  Findings,
  Observation,
  PersonObservation,
  Provider,
  ProviderRequest,
  ProviderStatus,
  SignalObservation,
} from './provider.ts'
import { sanitizeFindings } from './sanitize.ts'

/** How one provider answered. A provider that failed or took too long is `unavailable`, with the reason in words. */
export interface ProviderAnswer {
  provider: string
  status: ProviderStatus
  reason: string | null
  /** ISO 8601, UTC, six digits. */
  checked_at: string
}

/** All that the providers said of one company. Nothing of it is stored yet. */
export interface Gathered {
  domain: string
  /** What was asked for, in the order company, leadership, signals. */
  groups: FieldGroup[]
  /** One for each provider that was asked, in the list's order. */
  answers: ProviderAnswer[]
  observations: Observation[]
  people: PersonObservation[]
  signals: SignalObservation[]
}

export interface GatherOptions {
  /** Ask these alone, by name (see `dueProviders`). Absent: every provider that can find what is wanted. */
  only?: ReadonlySet<string>
  /** Milliseconds each provider has for itself. @default 60_000 */
  timeLimit?: number
  clock?: Clock
}

const GROUPS: readonly FieldGroup[] = ['company', 'leadership', 'signals']

/**
 * Asks the providers concerned at once. One that throws or is too slow answers `unavailable` and leaves the others unharmed.
 * Those that search by name wait for the others when the name is not known. Throws only when the caller's signal aborts.
 */
export async function gather(
  providers: readonly Provider[],
  request: ProviderRequest,
  { only, timeLimit = 60_000, clock = systemClock }: GatherOptions = {},
): Promise<Gathered> {
  const asked = providers.filter(
    ({ name, groups }) =>
      (only?.has(name) ?? true) && GROUPS.some((group) => groups.has(group) && request.groups.has(group)),
  )
  const replies = new Map<Provider, Reply>()
  const ask = async (wave: Provider[], known: ProviderRequest['known']): Promise<void> => {
    await Promise.all(
      wave.map(async (provider) => {
        replies.set(provider, await askOne(provider, { ...request, known }, timeLimit, clock))
      }),
    )
    request.signal.throwIfAborted()
  }
  const mustWait = ({ searchesByName }: Provider): boolean => searchesByName === true && !request.known.name
  await ask(
    asked.filter((provider) => !mustWait(provider)),
    request.known,
  )
  const name = surestName([...replies.values()])
  await ask(asked.filter(mustWait), name ? { ...request.known, name } : request.known)

  const inOrder = asked.map((provider) => replies.get(provider) as Reply)
  const wanted = <Item>(group: FieldGroup, items: (findings: Findings) => Item[]): Item[] =>
    request.groups.has(group) ? inOrder.flatMap(({ findings }) => items(findings)) : []
  return {
    domain: request.domain,
    groups: GROUPS.filter((group) => request.groups.has(group)),
    answers: inOrder.map(({ answer }) => answer),
    observations: wanted('company', (findings) => findings.observations),
    people: wanted('leadership', (findings) => findings.people),
    signals: wanted('signals', (findings) => findings.signals),
  }
}

interface Reply {
  answer: ProviderAnswer
  findings: Findings
}

async function askOne(provider: Provider, request: ProviderRequest, timeLimit: number, clock: Clock): Promise<Reply> {
  const limit = AbortSignal.timeout(timeLimit)
  const signal = AbortSignal.any([request.signal, limit])
  // Raced as well as passed on: a provider that ignores its signal cannot hold up the others.
  const findings = await Promise.race([
    Promise.resolve()
      .then(() => provider.find({ ...request, signal }))
      .then(sanitizeFindings),
    rejectedWhenAborted(signal),
  ]).catch((error: unknown) => {
    const reason = limit.aborted ? `no answer within ${timeLimit / 1000} s` : messageOf(error)
    if (!request.signal.aborted)
      request.log.warn({ provider: provider.name, domain: request.domain, reason }, 'provider failed')
    return { status: 'unavailable', reason, observations: [], people: [], signals: [] } satisfies Findings
  })
  const { status, reason } = findings
  return { answer: { provider: provider.name, status, reason, checked_at: isoMicros(clock.now()) }, findings }
}

function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function surestName(replies: Reply[]): string | undefined {
  const names = replies.flatMap(({ findings }) => findings.observations).filter(({ field }) => field === 'name')
  return names.toSorted((a, b) => b.confidence - a.confidence)[0]?.value as string | undefined
}

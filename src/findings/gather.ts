import { messageOf } from '../lib/errors.ts'
import { isoMicros } from '../lib/timestamps.ts'
import { inSpan } from '../lib/tracing.ts'
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

/** The result of one provider. A provider that failed or timed out is `unavailable`, with the reason. */
export interface ProviderAnswer {
  provider: string
  status: ProviderStatus
  reason: string | null
  /** Time of the result: ISO 8601, UTC, with microseconds. */
  checked_at: string
}

/** All findings about one company, not yet stored. */
export interface Gathered {
  domain: string
  /** The requested groups, in the order company, leadership, signals. */
  groups: FieldGroup[]
  /** One result per called provider, in the order of the provider list. */
  answers: ProviderAnswer[]
  /** Names of the providers of the requested groups that were not called, because they were not due. */
  skipped: string[]
  observations: Observation[]
  people: PersonObservation[]
  signals: SignalObservation[]
}

export interface GatherOptions {
  /** Names of the providers to call (see `dueProviders`). @default all providers of the requested groups */
  only?: ReadonlySet<string>
  /** Timeout per provider in milliseconds. @default 60_000 */
  timeLimit?: number
  /** Called after each response, with the number of responses and the number of providers called. */
  onAnswer?: (done: number, total: number) => void
}

const GROUPS: readonly FieldGroup[] = ['company', 'leadership', 'signals']

/**
 * Calls the providers of the requested groups concurrently. A provider that throws or times out is `unavailable` and
 * does not affect other providers. If the name is unknown, providers that search by name run after all other providers.
 * Throws only if the caller's signal is aborted.
 */
export async function gather(
  providers: readonly Provider[],
  request: ProviderRequest,
  { only, timeLimit = 60_000, onAnswer }: GatherOptions = {},
): Promise<Gathered> {
  const relevant = providers.filter(({ groups }) =>
    GROUPS.some((group) => groups.has(group) && request.groups.has(group)),
  )
  const called = relevant.filter(({ name }) => only?.has(name) ?? true)
  const replies = new Map<Provider, Reply>()
  const callAll = async (wave: Provider[], known: ProviderRequest['known']): Promise<void> => {
    await Promise.all(
      wave.map(async (provider) => {
        replies.set(provider, await callProvider(provider, { ...request, known }, timeLimit))
        onAnswer?.(replies.size, called.length)
      }),
    )
    request.signal.throwIfAborted()
  }
  const needsName = ({ searchesByName }: Provider): boolean => searchesByName === true && !request.known.name
  await callAll(
    called.filter((provider) => !needsName(provider)),
    request.known,
  )
  const name = mostConfidentName([...replies.values()])
  await callAll(called.filter(needsName), name ? { ...request.known, name } : request.known)

  const inOrder = called.map((provider) => replies.get(provider) as Reply)
  const wanted = <Item>(group: FieldGroup, items: (findings: Findings) => Item[]): Item[] =>
    request.groups.has(group) ? inOrder.flatMap(({ findings }) => items(findings)) : []
  return {
    domain: request.domain,
    groups: GROUPS.filter((group) => request.groups.has(group)),
    answers: inOrder.map(({ answer }) => answer),
    skipped: relevant.flatMap((provider) => (called.includes(provider) ? [] : provider.name)),
    observations: wanted('company', (findings) => findings.observations),
    people: wanted('leadership', (findings) => findings.people),
    signals: wanted('signals', (findings) => findings.signals),
  }
}

interface Reply {
  answer: ProviderAnswer
  findings: Findings
}

async function callProvider(provider: Provider, request: ProviderRequest, timeLimit: number): Promise<Reply> {
  const limit = AbortSignal.timeout(timeLimit)
  const signal = AbortSignal.any([request.signal, limit])
  // The race also ends when the signal is aborted, so a provider that ignores the signal cannot delay other providers.
  const findings = await Promise.race([
    Promise.resolve()
      .then(() => inSpan(`provider ${provider.name}`, {}, () => provider.find({ ...request, signal })))
      .then(sanitizeFindings),
    rejectedWhenAborted(signal),
  ]).catch((error: unknown) => {
    const reason = limit.aborted ? `no response within ${timeLimit / 1000} s` : messageOf(error)
    if (!request.signal.aborted)
      request.log.warn({ provider: provider.name, domain: request.domain, reason }, 'provider failed')
    return { status: 'unavailable', reason, observations: [], people: [], signals: [] } satisfies Findings
  })
  const { status, reason } = findings
  return { answer: { provider: provider.name, status, reason, checked_at: isoMicros(request.clock.now()) }, findings }
}

function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function mostConfidentName(replies: Reply[]): string | undefined {
  const names = replies.flatMap(({ findings }) => findings.observations).filter(({ field }) => field === 'name')
  return names.toSorted((a, b) => b.confidence - a.confidence)[0]?.value as string | undefined
}

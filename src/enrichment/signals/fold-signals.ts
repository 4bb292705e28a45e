import type { SignalObservation } from '../../findings/provider.ts'
import type { HeadlineFacts } from './about/headline-names.ts'
import { readFacts } from './about/headline-names.ts'
import { daysApart } from './stories/story-date.ts'
import { tokenize } from './text/tokens.ts'

export interface FoldOptions {
  /** The company's names. The words in these names are ignored, because they occur in every headline. */
  names: readonly string[]
  /** The company's domain. Stories on this domain are preferred. */
  ownDomain?: string
  /** Maximum number of days between two stories about the same event. @default 7 */
  days?: number
}

/** Minimum word overlap at which two stories are about the same event, regardless of type. */
const SAME_WORDS = 0.8
/** Minimum word overlap for two stories with the same type and no contradictory facts. */
const ALIKE = 0.5

/**
 * Merges several stories about one event into one signal with the earliest date. Prefers the company's own story, then
 * the story with the highest confidence, then the earliest story. Returns signals newest first, and undated signals
 * last.
 */
export function foldSignals(
  signals: SignalObservation[],
  { names, ownDomain, days = 7 }: FoldOptions,
): SignalObservation[] {
  const own = new Set(names.flatMap((name) => tokenize(name).map((token) => token.key)))
  const stories = signals.map((signal) => ({ signal, facts: withoutOwn(readFacts(signal.headline), own) }))
  const ordered = stories.toSorted(
    (a, b) => rank(b.signal, ownDomain) - rank(a.signal, ownDomain) || compareDates(a.signal, b.signal),
  )
  const groups: (typeof stories)[] = []
  for (const story of ordered) {
    const group = groups.find((members) => members.some((member) => isSameStory(member, story, days)))
    if (group) group.push(story)
    else groups.push([story])
  }
  return groups
    .map((members) => {
      const best = (members[0] as (typeof stories)[number]).signal
      const dates = members.flatMap(({ signal }) => signal.date ?? []).toSorted()
      return {
        ...best,
        date: dates[0] ?? null,
        confidence: Math.max(...members.map(({ signal }) => signal.confidence)),
      }
    })
    .toSorted((a, b) => compareDates(b, a))
}

interface FactedSignal {
  signal: SignalObservation
  facts: HeadlineFacts
}

function isSameStory(a: FactedSignal, b: FactedSignal, days: number): boolean {
  if (a.signal.url !== null && bareUrl(a.signal.url) === bareUrl(b.signal.url ?? '')) return true
  // An undated story matches any date.
  const undated = a.signal.date === null || b.signal.date === null
  if (!undated && daysApart(a.signal.date, b.signal.date) > days) return false
  if (contradict(a.facts.sums, b.facts.sums)) return false
  const likeness = overlap(a.facts.words, b.facts.words)
  const apart = contradict(a.facts.names, b.facts.names)
  if (likeness >= SAME_WORDS && !apart) return true
  if (a.signal.type !== b.signal.type) return false
  const shared = common(a.facts.names, b.facts.names) + common(a.facts.sums, b.facts.sums)
  if (shared >= 2 || (shared >= 1 && !apart)) return true
  return !apart && likeness >= ALIKE && !differ(a.facts.topics, b.facts.topics)
}

/** Returns whether both sets are non-empty and have no element in common. */
function contradict(a: Set<string>, b: Set<string>): boolean {
  return a.size > 0 && b.size > 0 && common(a, b) === 0
}

/** Returns whether each set has an element that the other lacks. */
function differ(a: Set<string>, b: Set<string>): boolean {
  return a.difference(b).size > 0 && b.difference(a).size > 0
}

function common(a: Set<string>, b: Set<string>): number {
  return [...a].filter((one) => b.has(one)).length
}

/** Returns the Jaccard index of two sets. */
function overlap(a: Set<string>, b: Set<string>): number {
  const shared = common(a, b)
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

function withoutOwn(facts: HeadlineFacts, own: Set<string>): HeadlineFacts {
  return { ...facts, names: new Set([...facts.names].filter((name) => !own.has(name))) }
}

function rank(signal: SignalObservation, ownDomain: string | undefined): number {
  const host = signal.url && URL.canParse(signal.url) ? new URL(signal.url).hostname : ''
  const isOwn = ownDomain !== undefined && (host === ownDomain || host.endsWith(`.${ownDomain}`))
  return (isOwn ? 1 : 0) + signal.confidence / 2
}

function compareDates(a: SignalObservation, b: SignalObservation): number {
  return (a.date ?? '0000').localeCompare(b.date ?? '0000')
}

/** Returns the URL without tracking parameters, for comparison. */
function bareUrl(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.hash = ''
  for (const key of [...url.searchParams.keys()])
    if (/^(?:utm_|fbclid|gclid|mc_|ref$|src$)/u.test(key)) url.searchParams.delete(key)
  return `${url.hostname.replace(/^www\./u, '')}${url.pathname.replace(/\/$/u, '')}${url.search}`
}

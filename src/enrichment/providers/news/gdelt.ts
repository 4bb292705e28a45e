import PQueue from 'p-queue'
import type { Clock } from '../../../lib/clock.ts'
import { messageOf } from '../../../lib/errors.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'
import type { Story } from '../../signals/stories/story.ts'
import { readDay } from '../../signals/stories/story-date.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

export interface GdeltSettings {
  enabled: boolean
  /** Address of the DOC 2.0 service, without a query. */
  base_url: string
  /** How far back, in its own words: `3months`, `2weeks`. */
  timespan: string
  /** Seconds between two questions of this process. GDELT asks for five; it counts strictly. */
  seconds_between: number
}

/** A source's answer. `reason` says why there is none, or not all. */
export interface StorySearch {
  stories: Story[]
  status: 'answered' | 'unavailable' | 'refused'
  reason: string | null
}

export interface StorySource {
  name: 'gdelt' | 'rss'
  /** Stories that name the company; never throws but for the caller's abort. */
  search(name: string, domain: string, most: number, signal: AbortSignal): Promise<StorySearch>
}

/** More would wait minutes for their turn: better to say at once that it is busy. */
const MAX_QUEUE = 8
const BREAKER = { failures: 3, rest: 15 * 60_000 }

/** GDELT DOC 2.0, the list of articles that quote a name. One queue for the whole process, and none while it refuses. */
export function createGdelt(fetcher: Fetcher, settings: GdeltSettings, clock: Clock): StorySource {
  const queue = new PQueue({ concurrency: 1, interval: Math.max(1, settings.seconds_between * 1000), intervalCap: 1 })
  const breaker = new CircuitBreaker(BREAKER, clock)

  async function ask(url: string, signal: AbortSignal): Promise<StorySearch> {
    if (breaker.rest > 0) return resting(breaker.rest)
    const reply = await fetcher.get(url, { accept: 'application/json', signal })
    if (reply.outcome !== 'page') {
      breaker.failed(reply.retryAfter === undefined ? undefined : reply.retryAfter * 1000)
      return {
        stories: [],
        status: reply.outcome === 'refused' ? 'refused' : 'unavailable',
        reason: `GDELT: ${reply.reason}`,
      }
    }
    const stories = readArticles(reply.text())
    if (stories === null) {
      breaker.failed()
      // It answers errors as plain text with status 200.
      return {
        stories: [],
        status: 'unavailable',
        reason: `GDELT: ${reply.text().slice(0, 120).trim() || 'an empty answer'}`,
      }
    }
    breaker.succeeded()
    return { stories, status: 'answered', reason: null }
  }

  return {
    name: 'gdelt',
    async search(name, _domain, most, signal) {
      if (breaker.rest > 0) return resting(breaker.rest)
      if (queue.size >= MAX_QUEUE)
        return { stories: [], status: 'unavailable', reason: 'GDELT: too many are waiting for it' }
      const query = { query: `"${name.replaceAll('"', ' ')}"`, mode: 'artlist', format: 'json', sort: 'datedesc' }
      const params = new URLSearchParams({ ...query, maxrecords: String(most), timespan: settings.timespan })
      try {
        return await queue.add(() => ask(`${settings.base_url}?${params}`, signal), { signal })
      } catch (error) {
        signal.throwIfAborted()
        breaker.failed()
        return { stories: [], status: 'unavailable', reason: `GDELT: ${messageOf(error)}` }
      }
    },
  }
}

const resting = (rest: number): StorySearch => ({
  stories: [],
  status: 'unavailable',
  reason: `GDELT refused or failed before; not asked for another ${Math.ceil(rest / 60_000)} minutes`,
})

interface Article {
  url?: unknown
  title?: unknown
  seendate?: unknown
  language?: unknown
}

function readArticles(text: string): Story[] | null {
  let parsed: { articles?: Article[] } | null
  try {
    // An empty object is its way to say that there are none.
    parsed = JSON.parse(text) as { articles?: Article[] } | null
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  return (Array.isArray(parsed.articles) ? parsed.articles : []).flatMap(({ url, title, seendate }) => {
    if (typeof url !== 'string' || typeof title !== 'string' || !/^https?:\/\//u.test(url)) return []
    return [
      { url, headline: closeGaps(title), lead: null, date: typeof seendate === 'string' ? readDay(seendate) : null },
    ]
  })
}

/** It sets blanks around every mark: `Acme raises $ 40 million , says CEO`. */
function closeGaps(title: string): string {
  return title
    .replace(/\s+([,.;:!?%)\]])/gu, '$1')
    .replace(/([$€£(])\s+/gu, '$1')
    .replace(/\s+(['’]s\b)/gu, '$1')
    .replace(/(\w) - (\w)/gu, '$1-$2')
    .replace(/\s+/gu, ' ')
    .trim()
}

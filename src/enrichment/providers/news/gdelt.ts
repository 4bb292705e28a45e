import PQueue from 'p-queue'
import type { Clock } from '../../../lib/clock.ts'
import { messageOf } from '../../../lib/errors.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'
import type { Story } from '../../signals/stories/story.ts'
import { readDay } from '../../signals/stories/story-date.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

export interface GdeltSettings {
  enabled: boolean
  /** URL of the DOC 2.0 API, without a query. */
  base_url: string
  /** Search period in GDELT's syntax, such as `3months` or `2weeks`. */
  timespan: string
  /** Minimum interval between requests from this process. GDELT enforces an interval of five seconds. */
  interval_seconds: number
}

/** The result of searching one source. `reason` explains why the search failed; null if it succeeded. */
export interface StorySearch {
  stories: Story[]
  status: 'ok' | 'unavailable' | 'refused'
  reason: string | null
}

export interface StorySource {
  name: 'gdelt' | 'rss'
  /** Finds stories that mention the company by name. Throws only if the signal is aborted. */
  search(name: string, domain: string, limit: number, signal: AbortSignal): Promise<StorySearch>
}

/** Maximum number of queued requests. In a longer queue, requests would wait for minutes. */
const MAX_QUEUE = 8
const BREAKER = { failures: 3, cooldown: 15 * 60_000 }

/**
 * Searches GDELT DOC 2.0 for the quoted company name. Sends one request at a time per process, behind a circuit
 * breaker.
 */
export function createGdelt(fetcher: Fetcher, settings: GdeltSettings, clock: Clock): StorySource {
  const queue = new PQueue({ concurrency: 1, interval: Math.max(1, settings.interval_seconds * 1000), intervalCap: 1 })
  const breaker = new CircuitBreaker(BREAKER, clock)

  async function fetchArticles(url: string, signal: AbortSignal): Promise<StorySearch> {
    if (breaker.remaining > 0) return pausedFor(breaker.remaining)
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
      // GDELT sends errors as plain text with status 200.
      return {
        stories: [],
        status: 'unavailable',
        reason: `GDELT: ${reply.text().slice(0, 120).trim() || 'an empty response'}`,
      }
    }
    breaker.succeeded()
    return { stories, status: 'ok', reason: null }
  }

  return {
    name: 'gdelt',
    async search(name, _domain, limit, signal) {
      if (breaker.remaining > 0) return pausedFor(breaker.remaining)
      if (queue.size >= MAX_QUEUE)
        return { stories: [], status: 'unavailable', reason: 'GDELT: too many requests are queued' }
      const query = { query: `"${name.replaceAll('"', ' ')}"`, mode: 'artlist', format: 'json', sort: 'datedesc' }
      const params = new URLSearchParams({ ...query, maxrecords: String(limit), timespan: settings.timespan })
      try {
        return await queue.add(() => fetchArticles(`${settings.base_url}?${params}`, signal), { signal })
      } catch (error) {
        signal.throwIfAborted()
        breaker.failed()
        return { stories: [], status: 'unavailable', reason: `GDELT: ${messageOf(error)}` }
      }
    },
  }
}

const pausedFor = (milliseconds: number): StorySearch => ({
  stories: [],
  status: 'unavailable',
  reason: `GDELT failed or rejected a request; the next request will be sent in ${Math.ceil(milliseconds / 60_000)} minutes`,
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
    // GDELT sends an empty object if there are no articles.
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

/** Removes the spaces that GDELT puts around punctuation: `Acme raises $ 40 million , says CEO`. */
function closeGaps(title: string): string {
  return title
    .replace(/\s+([,.;:!?%)\]])/gu, '$1')
    .replace(/([$€£(])\s+/gu, '$1')
    .replace(/\s+(['’]s\b)/gu, '$1')
    .replace(/(\w) - (\w)/gu, '$1-$2')
    .replace(/\s+/gu, ' ')
    .trim()
}

import type { Fetcher } from '../../fetching/fetcher.ts'
import { readFeed } from '../../signals/stories/read-feed.ts'
import type { StorySource } from './gdelt.ts'

const ACCEPT = 'application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.1'

/**
 * Creates a source that searches a feed. In the URL template, `{name}` is replaced with the quoted company name, and
 * `{domain}` with the company's domain.
 */
export function createRssSearch(fetcher: Fetcher, template: string): StorySource {
  return {
    name: 'rss',
    async search(name, domain, limit, signal) {
      const url = template
        .replaceAll('{name}', encodeURIComponent(`"${name.replaceAll('"', ' ')}"`))
        .replaceAll('{domain}', encodeURIComponent(domain))
      const reply = await fetcher.get(url, { accept: ACCEPT, signal })
      if (reply.outcome !== 'page')
        return {
          stories: [],
          status: reply.outcome === 'refused' ? 'refused' : 'unavailable',
          reason: `${hostOf(url)}: ${reply.reason}`,
        }
      const stories = readFeed(reply.text(), reply.url)
      if (stories === null)
        return { stories: [], status: 'unavailable', reason: `${hostOf(url)}: the response is not a feed` }
      return { stories: stories.slice(0, limit), status: 'ok', reason: null }
    },
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url)

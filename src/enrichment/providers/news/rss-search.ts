import type { Fetcher } from '../../fetching/fetcher.ts'
import { readFeed } from '../../signals/stories/read-feed.ts'
import type { StorySource } from './gdelt.ts'

const ACCEPT = 'application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.1'

/**
 * A feed whose address names the company: `{name}` stands for its name in quotation marks, `{domain}` for its domain. Mind the
 * terms of the service behind it.
 */
export function createRssSearch(fetcher: Fetcher, template: string): StorySource {
  return {
    name: 'rss',
    async search(name, domain, most, signal) {
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
        return { stories: [], status: 'unavailable', reason: `${hostOf(url)}: what it sends is no feed` }
      return { stories: stories.slice(0, most), status: 'answered', reason: null }
    },
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url)

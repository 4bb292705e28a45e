import type { SignalObservation } from '../../../findings/provider.ts'
import type { FindSignalsOptions } from '../../signals/find-signals.ts'
import { findSignals } from '../../signals/find-signals.ts'
import { foldSignals } from '../../signals/fold-signals.ts'
import { readFeed } from '../../signals/stories/read-feed.ts'
import { readNewsroom } from '../../signals/stories/read-newsroom.ts'
import type { Site } from './parse-site.ts'
import type { SiteContext } from './people-of-site.ts'

export interface SiteSignals {
  signals: SignalObservation[]
  /** Number of stories read, including stories without a signal. */
  stories: number
}

/**
 * Finds signals in a site's feeds and newsrooms, newest first. Reads at most `maxArticles` stories from each feed or
 * newsroom.
 */
export function signalsOfSite(site: Site, { names, observed_at }: SiteContext, maxArticles: number): SiteSignals {
  const company = { domain: site.siteDomain, names }
  const options = {
    company,
    source: 'website',
    own: true,
    observedAt: observed_at,
  } satisfies Partial<FindSignalsOptions>
  const feeds = site.feeds.map(({ url, text }) => newest(readFeed(text, url) ?? [], maxArticles))
  const newsrooms = site.pages
    .filter(({ kind }) => kind === 'news')
    .map(({ page }) => newest(readNewsroom(page, observed_at.slice(0, 10)), maxArticles))
  const signals = [
    ...feeds.flatMap((stories) => findSignals(stories, { ...options, method: 'feed' })),
    ...newsrooms.flatMap((stories) => findSignals(stories, { ...options, method: 'newsroom' })),
  ]
  const urls = new Set([...feeds, ...newsrooms].flat().map(({ url }) => url))
  return { signals: foldSignals(signals, { names, ownDomain: site.siteDomain }), stories: urls.size }
}

/** Returns the newest stories. Undated stories come last, in their original order. */
const newest = <Story extends { date: string | null }>(stories: readonly Story[], limit: number): Story[] =>
  stories.toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? '')).slice(0, limit)

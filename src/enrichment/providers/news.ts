import type { Findings, Provider, ProviderRequest, SignalObservation } from '../../findings/provider.ts'
import { isoMicros } from '../../lib/timestamps.ts'
import { findSignals, findSignalsWithSecondOpinion } from '../signals/find-signals.ts'
import { foldSignals } from '../signals/fold-signals.ts'
import type { WebDeps } from './deps.ts'
import type { StorySearch, StorySource } from './news/gdelt.ts'
import { createGdelt } from './news/gdelt.ts'
import { createRssSearch } from './news/rss-search.ts'

/**
 * Creates the provider of third-party news, which searches GDELT and searchable feeds. Returns null if neither GDELT
 * nor a feed is configured.
 */
export function createNewsProvider({ fetcher, settings, clock, secondOpinion }: WebDeps): Provider | null {
  const { gdelt, feeds } = settings.news
  const sources: StorySource[] = feeds.map((template) => createRssSearch(fetcher, template))
  if (gdelt.enabled) sources.unshift(createGdelt(fetcher, gdelt, clock))
  if (sources.length === 0) return null
  return {
    name: 'news',
    groups: new Set(['signals']),
    recheckAfterDays: 1,
    searchesByName: true,
    async find(request) {
      const { name } = request.known
      if (!name) return findingsOf('not_found', 'news is searched by company name, and the name is unknown', [])
      const searches = await Promise.all(
        sources.map(async (source) => ({
          source,
          found: await source.search(name, request.domain, request.maxArticles, request.signal),
        })),
      )
      const signals = await Promise.all(searches.map(({ source, found }) => judge(source, found, name, request)))
      const names = namesOf(request, name)
      const folded = foldSignals(signals.flat(), { names, ownDomain: request.domain })
      return findingsOf(
        ...statusOf(
          searches.map(({ found }) => found),
          folded,
        ),
        folded,
      )
    },
  }

  async function judge(
    source: StorySource,
    found: StorySearch,
    name: string,
    request: ProviderRequest,
  ): Promise<SignalObservation[]> {
    const { headquarters_city: city, headquarters_state: state } = request.known
    const places = [city, state].filter((place) => place !== undefined)
    const options = {
      company: { domain: request.domain, names: namesOf(request, name), places },
      source: 'news',
      method: source.name,
      own: false,
      observedAt: isoMicros(request.clock.now()),
    }
    if (!secondOpinion) return findSignals(found.stories, options)
    return await findSignalsWithSecondOpinion(found.stories, { ...options, secondOpinion, signal: request.signal })
  }
}

const namesOf = ({ known }: ProviderRequest, name: string): string[] => [...new Set([name, known.legal_name ?? name])]

function statusOf(searches: StorySearch[], signals: SignalObservation[]): [Findings['status'], string | null] {
  const reasons = searches.flatMap(({ reason }) => reason ?? [])
  const reason = reasons.length > 0 ? reasons.join('; ') : null
  if (signals.length > 0) return ['found', reason]
  if (searches.some(({ status }) => status === 'ok')) return ['not_found', reason ?? 'no news about this company']
  return [searches.every(({ status }) => status === 'refused') ? 'refused' : 'unavailable', reason]
}

const findingsOf = (status: Findings['status'], reason: string | null, signals: SignalObservation[]): Findings => ({
  status,
  reason,
  observations: [],
  people: [],
  signals,
})

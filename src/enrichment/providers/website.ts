import type { Clock } from '../../lib/clock.ts'
import { systemClock } from '../../lib/clock.ts'
import type { NotFetched } from '../fetching/fetched.ts'
import type { Fetcher } from '../fetching/fetcher.ts'
import type { Findings, Provider, ProviderRequest, ProviderStatus } from '../provider.ts'
import { companyOfSite } from '../site/company-of-site.ts'
import type { Site } from '../site/read-site.ts'
import { readSite } from '../site/read-site.ts'

export interface WebsiteDeps {
  fetcher: Fetcher
  clock?: Clock
}

/**
 * The company's own site: what it says of itself in structured data and in words. Few pages, found by navigation and sitemap;
 * robots.txt is obeyed and social networks are never asked.
 */
export function createWebsiteProvider({ fetcher, clock = systemClock }: WebsiteDeps): Provider {
  return {
    name: 'website',
    groups: new Set(['company', 'leadership', 'signals']),
    maxAgeDays: 30,
    async find(request) {
      const site = await readSite(fetcher, request.domain, request.groups, request.signal)
      if ('outcome' in site) return withoutSite(site)
      return findingsOf(site, request, clock.now().toISOString().replace('Z', '000Z'))
    },
  }
}

const STATUS: Record<NotFetched['outcome'], ProviderStatus> = {
  missing: 'not_found',
  refused: 'refused',
  unavailable: 'unavailable',
}

const withoutSite = ({ outcome, reason }: NotFetched): Findings => ({
  status: STATUS[outcome],
  reason,
  observations: [],
  people: [],
  signals: [],
})

async function findingsOf(site: Site, { domain }: ProviderRequest, observedAt: string): Promise<Findings> {
  const observations = companyOfSite(site, domain, observedAt)
  const found = observations.length > 0
  return {
    status: found ? 'found' : 'not_found',
    reason: found ? missingPages(site) : 'the site says nothing of the company that could be read',
    observations,
    people: [],
    signals: [],
  }
}

/** What was looked for and not to be had, in one sentence; null when nothing was. */
function missingPages({ failures }: Site): string | null {
  const [first] = failures
  return first
    ? `${failures.length === 1 ? 'a page' : `${failures.length} pages`} could not be read, such as ${first.url}: ${first.reason}`
    : null
}

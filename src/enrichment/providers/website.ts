import { isoMicros } from '../../lib/timestamps.ts'
import type { NotFetched } from '../fetching/fetched.ts'
import type { FieldGroup, Findings, Observation, Provider, ProviderRequest, ProviderStatus } from '../provider.ts'
import type { WebDeps } from '../provider-deps.ts'
import { companyOfSite } from '../site/company-of-site.ts'
import { peopleOfSite } from '../site/people-of-site.ts'
import type { Site } from '../site/read-site.ts'
import { readSite } from '../site/read-site.ts'
import { signalsOfSite } from '../site/signals-of-site.ts'

/**
 * The company's own site: what it says of itself in structured data and in words. Few pages, found by navigation and sitemap;
 * robots.txt is obeyed and social networks are never asked.
 */
export function createWebsiteProvider({ fetcher, receivesMail, clock }: WebDeps): Provider {
  return {
    name: 'website',
    groups: new Set(['company', 'leadership', 'signals']),
    maxAgeDays: 30,
    async find(request) {
      const site = await readSite(fetcher, request.domain, request.groups, request.signal)
      if ('outcome' in site) return withoutSite(site)
      return findingsOf(site, request, receivesMail, isoMicros(clock.now()))
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

async function findingsOf(
  site: Site,
  { domain, known, groups, maxPeople, maxArticles }: ProviderRequest,
  receivesMail: WebDeps['receivesMail'],
  observedAt: string,
): Promise<Findings> {
  const observations = companyOfSite(site, domain, observedAt)
  const names = namesIn(observations, known)
  const reader = { domain, names, observed_at: observedAt }
  const people = groups.has('leadership') ? await peopleOfSite(site, reader, maxPeople, receivesMail) : []
  const { signals, stories } = groups.has('signals')
    ? signalsOfSite(site, reader, maxArticles)
    : { signals: [], stories: 0 }
  const found = (groups.has('company') && observations.length > 0) || people.length > 0 || signals.length > 0
  return {
    status: found ? 'found' : 'not_found',
    reason: whatIsMissing(site, groups, { observations, people, signals, stories }),
    observations,
    people,
    signals,
  }
}

function namesIn(observations: readonly Observation[], { name, legal_name }: ProviderRequest['known']): string[] {
  const said = observations
    .filter(({ field }) => field === 'name' || field === 'legal_name')
    .map(({ value }) => String(value))
  return [...new Set([name, legal_name, ...said].filter((one) => one !== undefined))]
}

/** What was looked for and not to be had, in words; null when nothing was. */
function whatIsMissing(
  { pages, failures }: Site,
  groups: ReadonlySet<FieldGroup>,
  { observations, people, signals, stories }: Omit<Findings, 'status' | 'reason'> & { stories: number },
): string | null {
  const [first] = failures
  const missing = [
    groups.has('company') && observations.length === 0 && 'the site says nothing of the company that could be read',
    groups.has('leadership') &&
      people.length === 0 &&
      (pages.some(({ kind }) => kind === 'team')
        ? 'its team page names nobody who could be read'
        : 'no team page was found'),
    groups.has('signals') && signals.length === 0 && (stories === 0 ? 'no news were found' : 'its news tell no signal'),
    first &&
      `${failures.length === 1 ? 'a page' : `${failures.length} pages`} could not be read, such as ${first.url}: ${first.reason}`,
  ].filter((sentence) => typeof sentence === 'string')
  return missing.length > 0 ? missing.join('; ') : null
}

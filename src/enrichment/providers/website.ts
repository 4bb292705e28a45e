import type { FieldGroup, Findings, Provider, ProviderStatus } from '../../findings/provider.ts'
import { isoMicros } from '../../lib/timestamps.ts'
import type { NotFetched } from '../fetching/fetched.ts'
import { keepReceived } from '../people/emails/derive-emails.ts'
import { mergePeople, rankPeople } from '../people/merge-people.ts'
import type { WebDeps } from './deps.ts'
import type { FetchedSite } from './website/crawl.ts'
import { fetchSite } from './website/fetch-site.ts'
import type { SiteFindings } from './website/read-findings.ts'
import { outcomeOfReading, readPagesHere } from './website/read-pages.ts'

/**
 * Creates the provider that reads the company's website. The provider finds a few pages through navigation, links and
 * the sitemap, and reads the pages' structured data, text and layout.
 */
export function createWebsiteProvider({
  fetcher,
  settings,
  receivesMail,
  readPages = readPagesHere,
  modelReader,
  renderer,
}: WebDeps): Provider {
  return {
    name: 'website',
    groups: new Set(['company', 'leadership', 'signals']),
    recheckAfterDays: 30,
    async find({ domain, known, groups, maxPeople, maxArticles, clock, signal }) {
      const budget = settings.crawl.pages_per_company
      const startRendering = renderer?.startCompany
      const deps = { fetcher, readPages, groups, signal, startRendering }
      const site = await fetchSite(deps, domain, { maxPeople, budget })
      if ('outcome' in site) return emptyFindings(site)
      const { siteDomain, pages, feeds } = site
      const observedAt = isoMicros(clock.now())
      const request = { domain, known, groups, maxPeople, maxArticles, observedAt }
      const input = { site: { siteDomain, pages, feeds }, ...request, withUnsure: Boolean(modelReader) }
      const read = await outcomeOfReading(pages[0]?.url ?? '', readPages('readFindings', input, signal))
      if ('outcome' in read) return emptyFindings(read)
      const { madeAt, people, unsure, ...findings } = read
      const received = madeAt === null ? people : keepReceived(people, await receivesMail(madeAt))
      const more = await modelReader?.read(unsure, observedAt, signal)
      const mergedPeople = more ? rankPeople(mergePeople([...received, ...more.people]), maxPeople) : received
      return findingsOf(site, groups, {
        ...findings,
        people: groups.has('leadership') ? mergedPeople : [],
        observations: [...findings.observations, ...(groups.has('company') ? (more?.observations ?? []) : [])],
      })
    },
  }
}

const STATUS: Record<NotFetched['outcome'], ProviderStatus> = {
  missing: 'not_found',
  refused: 'refused',
  unavailable: 'unavailable',
}

const emptyFindings = ({ outcome, reason }: NotFetched): Findings => ({
  status: STATUS[outcome],
  reason,
  observations: [],
  people: [],
  signals: [],
})

type Found = Omit<SiteFindings, 'madeAt' | 'unsure'>

function findingsOf(site: FetchedSite, groups: ReadonlySet<FieldGroup>, found: Found): Findings {
  const { observations, people, signals } = found
  const any = (groups.has('company') && observations.length > 0) || people.length > 0 || signals.length > 0
  return {
    status: any ? 'found' : 'not_found',
    reason: explainGaps(site, groups, found),
    observations,
    people,
    signals,
  }
}

/** Explains why requested data is missing; null if no data is missing. */
function explainGaps(
  { pages, failures }: FetchedSite,
  groups: ReadonlySet<FieldGroup>,
  { observations, people, signals, stories }: Found,
): string | null {
  const [first] = failures
  const missing = [
    groups.has('company') && observations.length === 0 && 'no company fields were found on the site',
    groups.has('leadership') &&
      people.length === 0 &&
      (pages.some(({ kind }) => kind === 'team') ? 'no people were found on its team page' : 'no team page was found'),
    groups.has('signals') &&
      signals.length === 0 &&
      (stories === 0 ? 'no news was found' : 'the news on the site contains no signal'),
    first &&
      `${failures.length === 1 ? 'a page' : `${failures.length} pages`} could not be read, such as ${first.url}: ${first.reason}`,
  ].filter((sentence) => typeof sentence === 'string')
  return missing.length > 0 ? missing.join('; ') : null
}

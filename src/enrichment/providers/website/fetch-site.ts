import { getDomain } from 'tldts'
import type { FieldGroup } from '../../../findings/provider.ts'
import type { NotFetched } from '../../fetching/fetched.ts'
import type { Crawl, CrawledPage, FetchedSite } from './crawl.ts'
import { bytesOf, canonical, crawlPage, homeOf, matchScheme, readLinks } from './crawl.ts'
import { fetchPeoplePages } from './fetch-people-pages.ts'
import { findHome, isHtml } from './find-home.ts'
import type { PageKind, PageLink } from './find-pages.ts'
import { isSameSite } from './find-pages.ts'
import { outcomeOfReading } from './read-pages.ts'
import type { Sitemap } from './read-sitemap.ts'

/** Maximum number of pages of each kind, by requested field group. */
const PAGE_LIMITS: Record<FieldGroup, Partial<Record<PageKind, number>>> = {
  company: { about: 1, contact: 1 },
  leadership: { about: 1 },
  signals: { news: 2 },
}
/** Maximum number of dead links of one kind. After more of them, the crawl skips that kind. */
const MAX_DEAD_LINKS = 2
const FEED_GUESSES = ['/feed', '/rss.xml', '/feed.xml', '/atom.xml']
const FEED =
  'application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.1'
const SITEMAP = 'application/xml,text/xml;q=0.9,*/*;q=0.1'
const MAX_SITEMAP_BYTES = 2_000_000

/**
 * Fetches the home page and the pages needed for the groups. Finds pages through links and the sitemap, and pages with
 * people also by their content. Returns `NotFetched` if the home page cannot be fetched.
 */
export async function fetchSite(
  crawl: Crawl,
  domain: string,
  groups: ReadonlySet<FieldGroup>,
  maxPeople: number,
): Promise<FetchedSite | NotFetched> {
  crawl.budget.left -= 1
  const home = await findHome(crawl.fetcher, domain, crawl.signal)
  if (home.outcome !== 'page') return home
  const siteDomain = getDomain(home.url) ?? new URL(home.url).hostname
  const seen = await readLinks(crawl, home, 'home', siteDomain)
  if ('outcome' in seen) return seen
  if (seen.isParked) return { outcome: 'missing', url: home.url, reason: 'the domain is parked' }
  const site: FetchedSite = { siteDomain, pages: [{ kind: 'home', ...bytesOf(home) }], feeds: [], failures: [] }

  const wantsPeople = groups.has('leadership')
  const limits = limitsFor(groups)
  const missing = [...limits.keys(), ...(wantsPeople ? ['team' as const] : [])].filter(
    (kind) => !seen.pages.some((link) => link.kind === kind),
  )
  const needsSitemap = missing.some(
    (kind) => kind === 'team' || kind === 'news' || (kind === 'about' && missing.length > 1),
  )
  const sitemap = needsSitemap
    ? await fetchSitemap(crawl, new URL(home.url).origin, siteDomain)
    : { pages: [], people: [] }
  const linksOf = (kind: PageKind): PageLink[] => {
    const known = seen.pages.filter((link) => link.kind === kind)
    return known.length > 0 ? known : sitemap.pages.filter((link) => link.kind === kind)
  }
  const about = await fetchPages(crawl, site, linksOf('about'), limits.get('about') ?? 0)
  const reserved = (limits.get('contact') ?? 0) + (limits.get('news') ?? 0)
  if (wantsPeople) {
    const budget = { left: crawl.budget.left - reserved }
    const before = budget.left
    // About pages often link to a team page that the home page does not link to.
    const fromAbout = about.flatMap(({ links }) => links)
    const named = [...linksOf('team'), ...fromAbout.flatMap(({ pages }) => pages.filter(({ kind }) => kind === 'team'))]
    const ranked = [...seen.candidates, ...fromAbout.flatMap(({ candidates }) => candidates), ...sitemap.people]
    await fetchPeoplePages({ ...crawl, budget }, site, distinct(named), distinct(ranked), maxPeople)
    crawl.budget.left -= before - budget.left
  }
  await fetchPages(crawl, site, linksOf('contact'), limits.get('contact') ?? 0)
  const news = await fetchPages(crawl, site, linksOf('news'), limits.get('news') ?? 0)
  if (groups.has('signals')) await fetchFeeds(crawl, site, [...news.flatMap(({ links }) => links.feeds), ...seen.feeds])
  return site
}

/** Removes links with duplicate URLs, and sorts the others, best first. */
function distinct(links: readonly PageLink[]): PageLink[] {
  const sorted = links.toSorted((a, b) => b.score - a.score)
  return [...new Map(sorted.map((link) => [canonical(link.url), link] as const).toReversed()).values()].toReversed()
}

function limitsFor(groups: ReadonlySet<FieldGroup>): Map<PageKind, number> {
  const limits = new Map<PageKind, number>()
  for (const kind of ['about', 'contact', 'news'] as const) {
    const limit = Math.max(0, ...[...groups].map((group) => PAGE_LIMITS[group][kind] ?? 0))
    if (limit > 0) limits.set(kind, limit)
  }
  return limits
}

/** Adds up to `limit` pages of one kind to the site. */
async function fetchPages(crawl: Crawl, site: FetchedSite, links: PageLink[], limit: number): Promise<CrawledPage[]> {
  const crawled: CrawledPage[] = []
  const failures = site.failures.length
  for (const { kind, url } of links) {
    // Stop early on menus with many dead links.
    if (crawled.length >= limit || site.failures.length - failures > MAX_DEAD_LINKS) break
    const page = await crawlPage(crawl, site, url, kind)
    if (page) crawled.push(page)
  }
  return crawled
}

/** Finds pages by kind in the site's sitemap. Fetches only one sitemap from a sitemap index. */
async function fetchSitemap(
  { fetcher, readPages, signal }: Crawl,
  origin: string,
  siteDomain: string,
): Promise<Pick<Sitemap, 'pages' | 'people'>> {
  const nothing = { pages: [], people: [] }
  const { sitemaps } = await fetcher.robots(origin, signal)
  let next = sitemaps.find((url) => isSameSite(url, siteDomain)) ?? `${origin}/sitemap.xml`
  for (let depth = 0; depth < 2; depth++) {
    const url = matchScheme(next, origin)
    const fetched = await fetcher.get(url, { signal, accept: SITEMAP, maxBytes: MAX_SITEMAP_BYTES })
    if (fetched.outcome !== 'page') return nothing
    const map = await outcomeOfReading(url, readPages('readSitemap', { page: bytesOf(fetched), siteDomain }, signal))
    if ('outcome' in map) return nothing
    if (map.next === null) return map
    next = map.next
  }
  return nothing
}

/** Fetches feeds. `declared` contains the feeds that pages declare, with those of the newsroom first. */
async function fetchFeeds({ fetcher, signal }: Crawl, site: FetchedSite, declared: readonly string[]): Promise<void> {
  const hasNews = site.pages.some(({ kind }) => kind === 'news')
  const { origin } = new URL(site.pages[0]?.url ?? '')
  // Guess feed URLs only if there is no declared feed and no newsroom, because each guess costs a request.
  const guessed = declared.length === 0 && !hasNews ? FEED_GUESSES.map((path) => `${origin}${path}`) : []
  for (const url of [...new Set(declared)].slice(0, 2).concat(guessed)) {
    const fetched = await fetcher.get(matchScheme(url, homeOf(site)), { signal, accept: FEED })
    if (fetched.outcome !== 'page') {
      if (guessed.length === 0) site.failures.push(fetched)
      continue
    }
    if (isHtml(fetched)) continue
    site.feeds.push(bytesOf(fetched))
    if (guessed.length > 0) return
  }
}

import { getDomain } from 'tldts'
import type { NotFetched } from '../../fetching/fetched.ts'
import type { Renderer } from '../../rendering/renderer.ts'
import type { CrawlDeps, CrawledPage, FetchedSite } from './crawl.ts'
import { bytesOf, Crawl, matchScheme, readPage, SURE } from './crawl.ts'
import { fetchFactPages } from './fetch-fact-pages.ts'
import { fetchPeoplePages } from './fetch-people-pages.ts'
import { findHome, isHtml } from './find-home.ts'
import { outcomeOfReading } from './read-pages.ts'
import type { SiteLink } from './site-links.ts'
import { isSameSite } from './site-links.ts'

const MAX_NEWS_PAGES = 2
/**
 * Maximum number of dead links of one kind. After more dead links, the crawl skips the remaining links of that kind.
 */
const MAX_DEAD_LINKS = 2
/** Number of pages in the budget that the people search reserves for a contact page and an imprint. */
const FACT_PAGES = 2
const FEED_GUESSES = ['/feed', '/rss.xml', '/feed.xml', '/atom.xml']
const FEED =
  'application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.1'
const SITEMAP = 'application/xml,text/xml;q=0.9,*/*;q=0.1'
const MAX_SITEMAP_BYTES = 2_000_000

export interface SiteDeps extends Omit<CrawlDeps, 'renderer'> {
  /** Starts the rendering of a site's pages. */
  startRendering?: Renderer['startCompany'] | undefined
}

/**
 * Fetches the home page and further pages that the requested groups need, at most `budget` pages in total. Chooses
 * pages by their links, by the sitemap and by the people and facts that the fetched pages contain. Returns `NotFetched`
 * if the home page cannot be fetched.
 */
export async function fetchSite(
  { startRendering, ...given }: SiteDeps,
  domain: string,
  { maxPeople, budget }: { maxPeople: number; budget: number },
): Promise<FetchedSite | NotFetched> {
  const home = await findHome(given.fetcher, domain, given.signal)
  if (home.outcome !== 'page') return home
  const siteDomain = getDomain(home.url) ?? new URL(home.url).hostname
  const deps: CrawlDeps = { ...given, renderer: startRendering?.(siteDomain) }
  const read = await readPage(deps, bytesOf(home), 'home', siteDomain)
  if ('outcome' in read) return read
  const { page, links: seen } = read
  if (seen.isParked) return { outcome: 'missing', url: home.url, reason: 'the domain is parked' }
  const site: FetchedSite = { siteDomain, pages: [{ kind: 'home', ...page }], feeds: [], failures: [] }
  const crawl = new Crawl(deps, site, budget - 1)
  crawl.addLinks(seen.links)
  crawl.addFacts(seen.facts)

  const wantsFacts = deps.groups.has('company')
  const wantsPeople = deps.groups.has('leadership')
  const wantsNews = deps.groups.has('signals')
  const isMissing =
    (wantsPeople && !crawl.hasLink('team')) ||
    (wantsNews && !crawl.hasLink('news')) ||
    (wantsFacts && !crawl.hasLink('about') && !crawl.hasLink('contact'))
  if (isMissing) crawl.addLinks(await fetchSitemap(crawl))
  // About pages contain facts, and often link to a team page that the home page does not link to.
  if (wantsFacts || wantsPeople) await visitSure(crawl, 'about', 1)
  const newsPages = wantsNews ? MAX_NEWS_PAGES : 0
  if (wantsPeople) await fetchPeoplePages(crawl, maxPeople, newsPages + (wantsFacts ? FACT_PAGES : 0))
  if (wantsFacts) await fetchFactPages(crawl, newsPages)
  if (wantsNews) {
    const news = await visitSure(crawl, 'news', newsPages)
    await fetchFeeds(crawl, [...news.flatMap(({ links }) => links.feeds), ...seen.feeds])
  }
  return site
}

/** Visits up to `limit` pages whose links are known to be of this kind. */
async function visitSure(crawl: Crawl, kind: 'about' | 'news', limit: number): Promise<CrawledPage[]> {
  const crawled: CrawledPage[] = []
  const deadLinks = crawl.deadLinks
  for (const { url, odds } of crawl.links((link) => link.odds[kind])) {
    // Stop early on menus with many dead links.
    if (crawled.length >= limit || odds[kind] < SURE || crawl.deadLinks - deadLinks > MAX_DEAD_LINKS) break
    const page = await crawl.visit(url, kind)
    if (page) crawled.push(page)
  }
  return crawled
}

/** Finds pages in the site's sitemap. Fetches only one sitemap from a sitemap index. */
async function fetchSitemap({ deps: { fetcher, readPages, signal }, homeUrl, site }: Crawl): Promise<SiteLink[]> {
  const { origin } = new URL(homeUrl)
  const { siteDomain } = site
  const { sitemaps } = await fetcher.robots(origin, signal)
  let next = sitemaps.find((url) => isSameSite(url, siteDomain)) ?? `${origin}/sitemap.xml`
  for (let depth = 0; depth < 2; depth++) {
    const url = matchScheme(next, origin)
    const fetched = await fetcher.get(url, { signal, accept: SITEMAP, maxBytes: MAX_SITEMAP_BYTES })
    if (fetched.outcome !== 'page') return []
    const map = await outcomeOfReading(url, readPages('readSitemap', { page: bytesOf(fetched), siteDomain }, signal))
    if ('outcome' in map) return []
    if (map.next === null) return map.links
    next = map.next
  }
  return []
}

/** Fetches feeds. `declared` contains the feeds that pages declare, starting with the newsroom's feeds. */
async function fetchFeeds({ deps, homeUrl, site }: Crawl, declared: readonly string[]): Promise<void> {
  const { fetcher, signal } = deps
  const hasNews = site.pages.some(({ kind }) => kind === 'news')
  const { origin } = new URL(homeUrl)
  // Guess feed URLs only if there is no declared feed and no newsroom, because each guess costs a request.
  const guessed = declared.length === 0 && !hasNews ? FEED_GUESSES.map((path) => `${origin}${path}`) : []
  for (const url of [...new Set(declared)].slice(0, 2).concat(guessed)) {
    const fetched = await fetcher.get(matchScheme(url, homeUrl), { signal, accept: FEED })
    if (fetched.outcome !== 'page') {
      if (guessed.length === 0) site.failures.push(fetched)
      continue
    }
    if (isHtml(fetched)) continue
    site.feeds.push(bytesOf(fetched))
    if (guessed.length > 0) return
  }
}

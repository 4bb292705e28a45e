import { getDomain } from 'tldts'
import type { FieldGroup } from '../../../findings/provider.ts'
import type { FetchedPage, NotFetched, PageBytes } from '../../fetching/fetched.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'
import { findHome, isHtml } from './find-home.ts'
import type { KindOfPage, PageKind, PageLink } from './find-pages.ts'
import { isSameSite } from './find-pages.ts'
import type { PageLinks } from './read-links.ts'
import type { ReadPages } from './read-pages.ts'
import { outcomeOfReading } from './read-pages.ts'
import type { SiteBytes } from './site-bytes.ts'

export interface FetchedSite extends SiteBytes {
  /** Linked pages that could not be read. */
  failures: NotFetched[]
}

/** What a crawl of one site uses. */
export interface Crawl {
  fetcher: Fetcher
  readPages: ReadPages
  signal: AbortSignal
}

/** Maximum pages of each kind, by requested group. */
const PAGE_LIMITS: Record<FieldGroup, Partial<Record<PageKind, number>>> = {
  company: { about: 1, contact: 1 },
  leadership: { team: 3, about: 1 },
  signals: { news: 2 },
}
/** Dead links of a kind before the crawl stops requesting that kind. */
const MAX_DEAD_LINKS = 2
const FEED_GUESSES = ['/feed', '/rss.xml', '/feed.xml', '/atom.xml']
const FEED =
  'application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.1'
const SITEMAP = 'application/xml,text/xml;q=0.9,*/*;q=0.1'
const MAX_SITEMAP_BYTES = 2_000_000

/** Fetches the home page and the pages that the groups need, found by navigation, footer and sitemap. Returns `NotFetched` without a home page. */
export async function fetchSite(
  crawl: Crawl,
  domain: string,
  groups: ReadonlySet<FieldGroup>,
): Promise<FetchedSite | NotFetched> {
  const home = await findHome(crawl.fetcher, domain, crawl.signal)
  if (home.outcome !== 'page') return home
  const siteDomain = getDomain(home.url) ?? new URL(home.url).hostname
  const seen = await readLinks(crawl, home, 'home', siteDomain)
  if ('outcome' in seen) return seen
  if (seen.isParked) return { outcome: 'missing', url: home.url, reason: 'the domain is parked' }
  const site: FetchedSite = { siteDomain, pages: [{ kind: 'home', ...bytesOf(home) }], feeds: [], failures: [] }

  const limits = limitsFor(groups)
  const links = seen.pages
  const feeds = [...seen.feeds]
  const missing = [...limits.keys()].filter((kind) => !links.some((link) => link.kind === kind))
  const needsSitemap = missing.some(
    (kind) => kind === 'team' || kind === 'news' || (kind === 'about' && missing.length > 1),
  )
  const mapped = needsSitemap ? await fetchSitemap(crawl, new URL(home.url).origin, siteDomain) : []
  for (const [kind, limit] of limits) {
    const known = links.filter((link) => link.kind === kind)
    const found = await fetchPages(
      crawl,
      site,
      known.length > 0 ? known : mapped.filter((link) => link.kind === kind),
      limit,
    )
    feeds.unshift(...found.flatMap((page) => page.feeds))
    // About pages often link to a team page that the home page does not.
    const more = found.flatMap(({ pages }) => pages).filter((link) => link.kind === 'team')
    links.push(...more.filter((link) => !links.some(({ url }) => url === link.url)))
  }
  if (groups.has('signals')) await fetchFeeds(crawl, site, feeds)
  return site
}

/** About comes before team, because about pages link to team pages. */
function limitsFor(groups: ReadonlySet<FieldGroup>): Map<PageKind, number> {
  const limits = new Map<PageKind, number>()
  for (const kind of ['about', 'team', 'contact', 'news'] as const) {
    const limit = Math.max(0, ...[...groups].map((group) => PAGE_LIMITS[group][kind] ?? 0))
    if (limit > 0) limits.set(kind, limit)
  }
  return limits
}

/** Adds up to `limit` pages of one kind to the site and returns their links. */
async function fetchPages(crawl: Crawl, site: FetchedSite, links: PageLink[], limit: number): Promise<PageLinks[]> {
  const seen = new Set(site.pages.map(({ url }) => canonical(url)))
  const read: PageLinks[] = []
  let requested = 0
  const queue = [...links]
  for (let link = queue.shift(); link; link = queue.shift()) {
    const { kind, url } = link
    // A menu may be full of dead links.
    if (read.length >= limit || requested >= limit + MAX_DEAD_LINKS) break
    if (seen.has(canonical(url))) continue
    requested++
    seen.add(canonical(url))
    const fetched = await crawl.fetcher.get(matchScheme(url, homeOf(site)), { signal: crawl.signal })
    if (fetched.outcome !== 'page') site.failures.push(fetched)
    else if (isHtml(fetched) && !site.pages.some((page) => canonical(page.url) === canonical(fetched.url))) {
      const leads = await readLinks(crawl, fetched, kind, site.siteDomain)
      if ('outcome' in leads) {
        site.failures.push(leads)
        continue
      }
      site.pages.push({ kind, ...bytesOf(fetched) })
      read.push(leads)
      // The rest of this team comes before other team links.
      queue.unshift(...leads.people.map((more) => ({ ...link, url: more })))
    }
  }
  return read
}

async function readLinks(
  { readPages, signal }: Crawl,
  page: FetchedPage,
  kind: KindOfPage,
  siteDomain: string,
): Promise<PageLinks | NotFetched> {
  const reading = readPages('readLinks', { page: bytesOf(page), kind, siteDomain }, signal)
  return await outcomeOfReading(page.url, reading)
}

/** Pages by kind from the site's sitemap. A sitemap index is followed to one sitemap. */
async function fetchSitemap(
  { fetcher, readPages, signal }: Crawl,
  origin: string,
  siteDomain: string,
): Promise<PageLink[]> {
  const { sitemaps } = await fetcher.robots(origin, signal)
  let next = sitemaps.find((url) => isSameSite(url, siteDomain)) ?? `${origin}/sitemap.xml`
  for (let depth = 0; depth < 2; depth++) {
    const url = matchScheme(next, origin)
    const fetched = await fetcher.get(url, { signal, accept: SITEMAP, maxBytes: MAX_SITEMAP_BYTES })
    if (fetched.outcome !== 'page') return []
    const map = await outcomeOfReading(url, readPages('readSitemap', { page: bytesOf(fetched), siteDomain }, signal))
    if ('outcome' in map) return []
    if (map.next === null) return map.pages
    next = map.next
  }
  return []
}

/** `declared`: the newsroom's feeds first. */
async function fetchFeeds({ fetcher, signal }: Crawl, site: FetchedSite, declared: readonly string[]): Promise<void> {
  const hasNews = site.pages.some(({ kind }) => kind === 'news')
  const { origin } = new URL(site.pages[0]?.url ?? '')
  // Guess only without a feed and a newsroom, because each guess is a request.
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

const homeOf = ({ pages }: FetchedSite): string => pages[0]?.url ?? ''

/** A site that is only available by http may still use https in its sitemap and feeds. */
const matchScheme = (url: string, home: string): string =>
  home.startsWith('http:') ? url.replace(/^https:/, 'http:') : url

const bytesOf = ({ url, charset, body }: FetchedPage): PageBytes => ({ url, charset, body })

/** A page's URL without scheme, `www.`, index file and trailing slash. */
const canonical = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/(?:index\.(?:html?|php))?\/?$/, '')

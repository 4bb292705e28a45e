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
  /** Pages that were linked to and could not be read. */
  failures: NotFetched[]
}

/** How a site is walked through. */
export interface Walk {
  fetcher: Fetcher
  readPages: ReadPages
  signal: AbortSignal
}

/** Pages of each kind at the most, by what is asked for: few enough for a guest. */
const WANTED: Record<FieldGroup, Partial<Record<PageKind, number>>> = {
  company: { about: 1, contact: 1 },
  leadership: { team: 3, about: 1 },
  signals: { news: 2 },
}
/** Pages of a kind that may be missing before no more are asked for. */
const SPARE = 2
const FEED_GUESSES = ['/feed', '/rss.xml', '/feed.xml', '/atom.xml']
const FEED =
  'application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.1'
const MAP = 'application/xml,text/xml;q=0.9,*/*;q=0.1'
const MAX_MAP_BYTES = 2_000_000

/** Fetches the home page and the pages that the groups need, found by navigation, footer and sitemap. `NotFetched`: no home page. */
export async function fetchSite(
  walk: Walk,
  domain: string,
  groups: ReadonlySet<FieldGroup>,
): Promise<FetchedSite | NotFetched> {
  const home = await findHome(walk.fetcher, domain, walk.signal)
  if (home.outcome !== 'page') return home
  const siteDomain = getDomain(home.url) ?? new URL(home.url).hostname
  const seen = await readLinks(walk, home, 'home', siteDomain)
  if ('outcome' in seen) return seen
  if (seen.isParked) return { outcome: 'missing', url: home.url, reason: 'the domain is parked' }
  const site: FetchedSite = { siteDomain, pages: [{ kind: 'home', ...bytesOf(home) }], feeds: [], failures: [] }

  const limits = limitsFor(groups)
  const links = seen.pages
  const feeds = [...seen.feeds]
  const lacking = [...limits.keys()].filter((kind) => !links.some((link) => link.kind === kind))
  const needsMap = lacking.some(
    (kind) => kind === 'team' || kind === 'news' || (kind === 'about' && lacking.length > 1),
  )
  const mapped = needsMap ? await readSiteMap(walk, new URL(home.url).origin, siteDomain) : []
  for (const [kind, most] of limits) {
    const known = links.filter((link) => link.kind === kind)
    const found = await fetchPages(
      walk,
      site,
      known.length > 0 ? known : mapped.filter((link) => link.kind === kind),
      most,
    )
    feeds.unshift(...found.flatMap((page) => page.feeds))
    // "About" often leads to the team that the home page does not name.
    const more = found.flatMap(({ pages }) => pages).filter((link) => link.kind === 'team')
    links.push(...more.filter((link) => !links.some(({ url }) => url === link.url)))
  }
  if (groups.has('signals')) await fetchFeeds(walk, site, feeds)
  return site
}

/** About before team, as the one may lead to the other. */
function limitsFor(groups: ReadonlySet<FieldGroup>): Map<PageKind, number> {
  const limits = new Map<PageKind, number>()
  for (const kind of ['about', 'team', 'contact', 'news'] as const) {
    const most = Math.max(0, ...[...groups].map((group) => WANTED[group][kind] ?? 0))
    if (most > 0) limits.set(kind, most)
  }
  return limits
}

/** Adds pages of one kind to the site, `most` at the most. Returns where they lead. */
async function fetchPages(walk: Walk, site: FetchedSite, links: PageLink[], most: number): Promise<PageLinks[]> {
  const seen = new Set(site.pages.map(({ url }) => canonical(url)))
  const read: PageLinks[] = []
  let asked = 0
  const queue = [...links]
  for (let link = queue.shift(); link; link = queue.shift()) {
    const { kind, url } = link
    // A menu full of dead links is not followed to its end.
    if (read.length >= most || asked >= most + SPARE) break
    if (seen.has(canonical(url))) continue
    asked++
    seen.add(canonical(url))
    const fetched = await walk.fetcher.get(inReach(url, site), { signal: walk.signal })
    if (fetched.outcome !== 'page') site.failures.push(fetched)
    else if (isHtml(fetched) && !site.pages.some((page) => canonical(page.url) === canonical(fetched.url))) {
      const leads = await readLinks(walk, fetched, kind, site.siteDomain)
      if ('outcome' in leads) {
        site.failures.push(leads)
        continue
      }
      site.pages.push({ kind, ...bytesOf(fetched) })
      read.push(leads)
      // A long team goes on elsewhere: that comes before the next link that may lead to it.
      queue.unshift(...leads.people.map((more) => ({ ...link, url: more })))
    }
  }
  return read
}

async function readLinks(
  { readPages, signal }: Walk,
  page: FetchedPage,
  kind: KindOfPage,
  siteDomain: string,
): Promise<PageLinks | NotFetched> {
  const reading = readPages('readLinks', { page: bytesOf(page), kind, siteDomain }, signal)
  return await outcomeOfReading(page.url, reading)
}

/** Pages of a kind that the site's map names. An index is followed to one map. */
async function readSiteMap(
  { fetcher, readPages, signal }: Walk,
  origin: string,
  siteDomain: string,
): Promise<PageLink[]> {
  const { sitemaps } = await fetcher.robots(origin, signal)
  let address = sitemaps.find((url) => isSameSite(url, siteDomain)) ?? `${origin}/sitemap.xml`
  for (let depth = 0; depth < 2; depth++) {
    const url = reachable(address, origin)
    const fetched = await fetcher.get(url, { signal, accept: MAP, maxBytes: MAX_MAP_BYTES })
    if (fetched.outcome !== 'page') return []
    const map = await outcomeOfReading(url, readPages('readSitemap', { page: bytesOf(fetched), siteDomain }, signal))
    if ('outcome' in map) return []
    if (map.next === null) return map.pages
    address = map.next
  }
  return []
}

/** `declared`: as the pages name them, the newsroom's first. */
async function fetchFeeds({ fetcher, signal }: Walk, site: FetchedSite, declared: readonly string[]): Promise<void> {
  const hasNews = site.pages.some(({ kind }) => kind === 'news')
  const { origin } = new URL(site.pages[0]?.url ?? '')
  // Guessing costs the site's patience: only where there is neither a feed nor a newsroom.
  const guessed = declared.length === 0 && !hasNews ? FEED_GUESSES.map((path) => `${origin}${path}`) : []
  for (const url of [...new Set(declared)].slice(0, 2).concat(guessed)) {
    const fetched = await fetcher.get(inReach(url, site), { signal, accept: FEED })
    if (fetched.outcome !== 'page') {
      if (guessed.length === 0) site.failures.push(fetched)
      continue
    }
    if (isHtml(fetched)) continue
    site.feeds.push(bytesOf(fetched))
    if (guessed.length > 0) return
  }
}

const inReach = (url: string, { pages }: FetchedSite): string => reachable(url, pages[0]?.url ?? '')

/** A site that answers by http alone may still write https in its maps and feeds, as its next owner will need. */
const reachable = (url: string, home: string): string =>
  home.startsWith('http:') ? url.replace(/^https:/, 'http:') : url

/** What of a page can be handed to another process. */
const bytesOf = ({ url, charset, body }: FetchedPage): PageBytes => ({ url, charset, body })

/** Two addresses of one page: scheme, `www.`, index file and closing slash do not count. */
const canonical = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/(?:index\.(?:html?|php))?\/?$/, '')

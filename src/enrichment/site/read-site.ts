import { getDomain } from 'tldts'
import type { Page } from '../extract/page.ts'
import { parsePage, textOf } from '../extract/page.ts'
import { structuredDataOf } from '../extract/structured-data.ts'
import type { StructuredItem } from '../extract/structured-item.ts'
import type { NotFetched } from '../fetching/fetched.ts'
import type { Fetcher } from '../fetching/fetcher.ts'
import type { FieldGroup } from '../provider.ts'
import { findHome, isHtml, isParked } from './find-home.ts'
import { findMorePeople } from './find-more-people.ts'
import type { PageKind, PageLink } from './find-pages.ts'
import { findFeedLinks, findPageLinks } from './find-pages.ts'
import { readSitemap } from './read-sitemap.ts'

/** A page of the site as it was read, with what it is about. */
export interface SitePage {
  kind: PageKind | 'home'
  page: Page
  html: string
  items: StructuredItem[]
}

/** A feed of the site, not yet parsed. */
export interface SiteFeed {
  url: string
  contentType: string
  text: string
}

/** The few pages of a company's site that were asked for. */
export interface Site {
  /** Registrable domain where the site finally lives; another than the company's when that redirects. */
  siteDomain: string
  /** Home first. */
  pages: SitePage[]
  feeds: SiteFeed[]
  /** Pages that were linked to and could not be read. */
  failures: NotFetched[]
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

/** Reads the home page and the pages that the groups need, found by navigation, footer and sitemap. `NotFetched`: no home page. */
export async function readSite(
  fetcher: Fetcher,
  domain: string,
  groups: ReadonlySet<FieldGroup>,
  signal: AbortSignal,
): Promise<Site | NotFetched> {
  const home = await findHome(fetcher, domain, signal)
  if (home.outcome !== 'page') return home
  const siteDomain = getDomain(home.url) ?? new URL(home.url).hostname
  const first = sitePage('home', home.text(), home.url)
  if (isParked(textOf(first.page.$('body'))))
    return { outcome: 'missing', url: home.url, reason: 'the domain is parked' }
  const site: Site = { siteDomain, pages: [first], feeds: [], failures: [] }

  const limits = limitsFor(groups)
  const links = findPageLinks(first.page, siteDomain)
  const lacking = [...limits.keys()].filter((kind) => !links.some((link) => link.kind === kind))
  const needsMap = lacking.some(
    (kind) => kind === 'team' || kind === 'news' || (kind === 'about' && lacking.length > 1),
  )
  const mapped = needsMap ? await readSitemap(fetcher, new URL(home.url).origin, siteDomain, signal) : []
  for (const [kind, most] of limits) {
    const known = links.filter((link) => link.kind === kind)
    await readPages(site, known.length > 0 ? known : mapped.filter((link) => link.kind === kind), most, fetcher, signal)
    // "About" often leads to the team that the home page does not name.
    if (kind === 'about')
      links.push(
        ...findPageLinks(site.pages.at(-1)?.page ?? first.page, siteDomain).filter(
          (link) => link.kind === 'team' && !links.some(({ url }) => url === link.url),
        ),
      )
  }
  if (groups.has('signals')) await readFeeds(site, fetcher, signal)
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

async function readPages(
  site: Site,
  links: PageLink[],
  most: number,
  fetcher: Fetcher,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set(site.pages.map(({ page }) => canonical(page.url)))
  let read = 0
  let asked = 0
  const queue = [...links]
  for (let link = queue.shift(); link; link = queue.shift()) {
    const { kind, url } = link
    // A menu full of dead links is not followed to its end.
    if (read >= most || asked >= most + SPARE) return
    if (seen.has(canonical(url))) continue
    asked++
    seen.add(canonical(url))
    const fetched = await fetcher.get(inReach(url, site), { signal })
    if (fetched.outcome !== 'page') site.failures.push(fetched)
    else if (isHtml(fetched) && !site.pages.some(({ page }) => canonical(page.url) === canonical(fetched.url))) {
      const one = sitePage(kind, fetched.text(), fetched.url)
      site.pages.push(one)
      read++
      // A long team goes on elsewhere: that comes before the next link that may lead to it.
      if (kind === 'team' && read < most)
        queue.unshift(...findMorePeople(one.page, site.siteDomain).map((more) => ({ ...link, url: more })))
    }
  }
}

async function readFeeds(site: Site, fetcher: Fetcher, signal: AbortSignal): Promise<void> {
  const news = site.pages.filter(({ kind }) => kind === 'news')
  const declared = [...news, ...site.pages.filter(({ kind }) => kind === 'home')].flatMap(({ page }) =>
    findFeedLinks(page, site.siteDomain),
  )
  const origin = new URL(site.pages[0]?.page.url ?? '').origin
  // Guessing costs the site's patience: only where there is neither a feed nor a newsroom.
  const guessed = declared.length === 0 && news.length === 0 ? FEED_GUESSES.map((path) => `${origin}${path}`) : []
  for (const url of [...new Set(declared)].slice(0, 2).concat(guessed)) {
    const fetched = await fetcher.get(inReach(url, site), { signal, accept: FEED })
    if (fetched.outcome !== 'page') {
      if (guessed.length === 0) site.failures.push(fetched)
      continue
    }
    if (isHtml(fetched)) continue
    site.feeds.push({ url: fetched.url, contentType: fetched.contentType, text: fetched.text() })
    if (guessed.length > 0) return
  }
}

/** A site that answers by http alone may still write https in its maps and feeds, as its next owner will need. */
function inReach(url: string, { pages }: Site): string {
  return pages[0]?.page.url.startsWith('http:') ? url.replace(/^https:/, 'http:') : url
}

function sitePage(kind: SitePage['kind'], html: string, url: string): SitePage {
  const page = parsePage(html, url)
  return { kind, page, html, items: structuredDataOf(page, html) }
}

/** Two addresses of one page: scheme, `www.`, index file and closing slash do not count. */
const canonical = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/(?:index\.(?:html?|php))?\/?$/, '')

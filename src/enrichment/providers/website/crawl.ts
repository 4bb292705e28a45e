import type { FetchedPage, NotFetched, PageBytes } from '../../fetching/fetched.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'
import { isHtml } from './find-home.ts'
import type { KindOfPage } from './find-pages.ts'
import type { PageLinks } from './read-links.ts'
import type { ReadPages } from './read-pages.ts'
import { outcomeOfReading } from './read-pages.ts'
import type { SiteBytes } from './site-bytes.ts'

export interface FetchedSite extends SiteBytes {
  /** Linked pages that could not be read. */
  failures: NotFetched[]
}

/** Dependencies and state of a crawl of one site. */
export interface Crawl {
  fetcher: Fetcher
  readPages: ReadPages
  /** Number of pages that may still be requested. */
  budget: { left: number }
  signal: AbortSignal
}

/** A page that the crawl added to the site, with its links. */
export interface CrawledPage {
  page: SiteBytes['pages'][number]
  links: PageLinks
}

/**
 * Fetches a page and adds it to the site. Returns undefined if the page is already known, is not HTML or cannot be
 * read, or if the budget is exhausted.
 */
export async function crawlPage(
  crawl: Crawl,
  site: FetchedSite,
  url: string,
  kind: KindOfPage,
): Promise<CrawledPage | undefined> {
  if (crawl.budget.left <= 0 || isKnown(site, url)) return undefined
  crawl.budget.left -= 1
  const fetched = await crawl.fetcher.get(matchScheme(url, homeOf(site)), { signal: crawl.signal })
  if (fetched.outcome !== 'page') {
    site.failures.push(fetched)
    return undefined
  }
  if (!isHtml(fetched) || isKnown(site, fetched.url)) return undefined
  const links = await readLinks(crawl, fetched, kind, site.siteDomain)
  if ('outcome' in links) {
    site.failures.push(links)
    return undefined
  }
  const page = { kind, ...bytesOf(fetched) }
  site.pages.push(page)
  return { page, links }
}

export async function readLinks(
  { readPages, signal }: Crawl,
  page: FetchedPage,
  kind: KindOfPage,
  siteDomain: string,
): Promise<PageLinks | NotFetched> {
  const reading = readPages('readLinks', { page: bytesOf(page), kind, siteDomain }, signal)
  return await outcomeOfReading(page.url, reading)
}

/** Whether the page was already fetched or has failed. */
export const isKnown = ({ pages, failures }: FetchedSite, url: string): boolean =>
  [...pages, ...failures].some((page) => canonical(page.url) === canonical(url))

export const bytesOf = ({ url, charset, body }: FetchedPage): PageBytes => ({ url, charset, body })

export const homeOf = ({ pages }: FetchedSite): string => pages[0]?.url ?? ''

/**
 * Replaces https with http if the home page uses http, because a site without https may still have https URLs in its
 * sitemap and links.
 */
export const matchScheme = (url: string, home: string): string =>
  home.startsWith('http:') ? url.replace(/^https:/, 'http:') : url

/** Returns a comparison key for a page's URL: the URL stripped of its scheme, `www.`, index file and trailing slash. */
export const canonical = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/(?:index\.(?:html?|php))?\/?$/, '')

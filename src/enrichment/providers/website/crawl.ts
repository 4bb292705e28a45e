import type { FieldGroup } from '../../../findings/provider.ts'
import type { FetchedPage, NotFetched, PageBytes } from '../../fetching/fetched.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'
import type { CompanyRenderer } from '../../rendering/renderer.ts'
import { isHtml } from './find-home.ts'
import { isJson, pageOfJson } from './json-page.ts'
import type { LinkKind } from './link-kinds/classify-link.ts'
import type { PageLinks } from './read-links.ts'
import type { ReadPages } from './read-pages.ts'
import { outcomeOfReading } from './read-pages.ts'
import type { PageKind, SiteBytes } from './site-bytes.ts'
import type { SiteLink } from './site-links.ts'

export interface FetchedSite extends SiteBytes {
  /** Linked pages and JSON documents that could not be read. */
  failures: NotFetched[]
}

/** A page that the crawl added to the site, and its links. */
export interface CrawledPage {
  page: SiteBytes['pages'][number]
  /** The page's JSON documents, which also count as pages of the site. */
  documents: SiteBytes['pages']
  links: PageLinks
}

export interface CrawlDeps {
  fetcher: Fetcher
  readPages: ReadPages
  /** Requested field groups. */
  groups: ReadonlySet<FieldGroup>
  signal: AbortSignal
  /** Renders pages that only scripts draw. */
  renderer?: CompanyRenderer | undefined
}

/** Maximum number of JSON documents fetched for one page. */
const MAX_ENDPOINTS = 2
const JSON_ACCEPT = 'application/json,*/*;q=0.1'

/** State of one site's crawl: the pages fetched so far, the links found on them, and the remaining page budget. */
export class Crawl {
  readonly deps: CrawlDeps
  readonly site: FetchedSite
  /** Number of pages that may still be requested. */
  budget: number
  /** Number of linked pages that could not be read, excluding JSON documents. */
  deadLinks = 0
  readonly #links = new Map<string, SiteLink>()
  readonly #facts = new Set<string>()
  /** URLs that were requested or are redirect targets, including URLs that are not pages. */
  readonly #requested: Set<string>

  constructor(deps: CrawlDeps, site: FetchedSite, budget: number) {
    this.deps = deps
    this.site = site
    this.budget = budget
    this.#requested = new Set(site.pages.map(({ url }) => canonical(url)))
  }

  /** Names of the company fields found on the pages fetched so far. */
  get facts(): ReadonlySet<string> {
    return this.#facts
  }

  /** Adds candidate links. If several links lead to a page, the most informative one is kept. */
  addLinks(links: readonly SiteLink[]): void {
    for (const link of links) {
      const key = canonical(link.url)
      const known = this.#links.get(key)
      if (!known || link.odds.other < known.odds.other) this.#links.set(key, link)
    }
  }

  addFacts(facts: readonly string[]): void {
    for (const fact of facts) this.#facts.add(fact)
  }

  /** Returns the links to pages that have not been requested yet, highest score first. */
  links(score: (link: SiteLink) => number): SiteLink[] {
    return [...this.#links]
      .filter(([, { url }]) => !this.#isKnown(url))
      .map(([, link]) => ({ link, score: score(link) }))
      .toSorted((a, b) => b.score - a.score)
      .map(({ link }) => link)
  }

  /**
   * Returns whether at least one link is clearly of this kind. Includes links to pages that have already been fetched.
   */
  hasLink(kind: LinkKind): boolean {
    return [...this.#links.values()].some(({ odds }) => odds[kind] >= SURE)
  }

  /**
   * Fetches a page and adds it to the site, together with the JSON documents that may contain the page's people. The
   * documents become pages of the same kind. Returns undefined if the page is already known, is not HTML or cannot be
   * read, or if the budget is exhausted.
   */
  async visit(url: string, kind: PageKind): Promise<CrawledPage | undefined> {
    const failures = this.site.failures.length
    const crawled = await this.#fetch(url, kind, undefined)
    this.deadLinks += this.site.failures.length - failures
    if (!crawled) return undefined
    for (const endpoint of crawled.links.endpoints.slice(0, MAX_ENDPOINTS)) {
      const data = await this.#fetch(endpoint, kind, JSON_ACCEPT)
      if (!data) continue
      crawled.documents.push(data.page)
      crawled.links.people.titled += data.links.people.titled
    }
    return crawled
  }

  async #fetch(url: string, kind: PageKind, accept: string | undefined): Promise<CrawledPage | undefined> {
    const { fetcher, signal } = this.deps
    if (this.budget <= 0 || this.#isKnown(url)) return undefined
    this.budget -= 1
    this.#requested.add(canonical(url))
    const fetched = await fetcher.get(matchScheme(url, this.homeUrl), { signal, ...(accept && { accept }) })
    if (fetched.outcome !== 'page') {
      this.site.failures.push(fetched)
      return undefined
    }
    const bytes = isHtml(fetched) ? bytesOf(fetched) : accept && isJson(fetched) ? pageOfJson(fetched) : undefined
    const isTargetKnown = canonical(fetched.url) !== canonical(url) && this.#isKnown(fetched.url)
    this.#requested.add(canonical(fetched.url))
    if (!bytes || isTargetKnown) return undefined
    const read = await readPage(this.deps, bytes, kind, this.site.siteDomain)
    if ('outcome' in read) {
      this.site.failures.push(read)
      return undefined
    }
    const { links } = read
    const page = { kind, ...read.page }
    this.site.pages.push(page)
    this.addLinks(links.links)
    this.addFacts(links.facts)
    return { page, documents: [], links }
  }

  #isKnown(url: string): boolean {
    return this.#requested.has(canonical(url))
  }

  get homeUrl(): string {
    return this.site.pages[0]?.url ?? ''
  }
}

/** Minimum probability at which a link's kind counts as known. */
export const SURE = 0.5

/**
 * Reads a page. If the page has almost no text without its scripts, it is rendered first, if a renderer is configured.
 */
export async function readPage(
  deps: CrawlDeps,
  page: PageBytes,
  kind: PageKind,
  siteDomain: string,
): Promise<{ page: PageBytes; links: PageLinks } | NotFetched> {
  const links = await readLinks(deps, page, kind, siteDomain)
  if ('outcome' in links) return links
  const drawn = links.isDrawnByScripts ? await deps.renderer?.render(page, deps.signal) : null
  const drawnLinks = drawn && (await readLinks(deps, drawn, kind, siteDomain))
  return drawn && drawnLinks && !('outcome' in drawnLinks) ? { page: drawn, links: drawnLinks } : { page, links }
}

async function readLinks(
  { readPages, groups, signal }: CrawlDeps,
  page: PageBytes,
  kind: PageKind,
  siteDomain: string,
): Promise<PageLinks | NotFetched> {
  return await outcomeOfReading(page.url, readPages('readLinks', { page, kind, siteDomain, groups }, signal))
}

export const bytesOf = ({ url, charset, body }: FetchedPage): PageBytes => ({ url, charset, body })

/**
 * Replaces https with http if the home page uses http, because a site without https may still have https URLs in its
 * sitemap and links.
 */
export const matchScheme = (url: string, home: string): string =>
  home.startsWith('http:') ? url.replace(/^https:/, 'http:') : url

/** Returns a comparison key for a page's URL: the URL stripped of its scheme, `www.`, index file and trailing slash. */
const canonical = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/(?:index\.(?:html?|php))?\/?$/, '')

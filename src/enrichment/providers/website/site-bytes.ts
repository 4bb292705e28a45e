import type { PageBytes } from '../../fetching/fetched.ts'
import type { KindOfPage } from './find-pages.ts'

/** What the crawl knows of a page. */
export interface SitePageFacts {
  kind: KindOfPage
  /** The person whose name links to this page. */
  profileOf?: string | undefined
}

/** The fetched pages of a company's site, not yet parsed. */
export interface SiteBytes {
  /** Registrable domain after redirects; may differ from the company's domain. */
  siteDomain: string
  /** Home first. */
  pages: (PageBytes & SitePageFacts)[]
  feeds: PageBytes[]
}

import type { PageBytes } from '../../fetching/fetched.ts'
import type { KindOfPage } from './find-pages.ts'

/** The crawl's knowledge about a page. */
export interface SitePageFacts {
  kind: KindOfPage
  /** If the page is a profile, the person's name from the link to it. */
  profileOf?: string | undefined
}

/** The fetched pages of a company's site, not yet parsed. */
export interface SiteBytes {
  /** Registrable domain after redirects; may differ from the company's domain. */
  siteDomain: string
  /** Pages, home page first. */
  pages: (PageBytes & SitePageFacts)[]
  feeds: PageBytes[]
}

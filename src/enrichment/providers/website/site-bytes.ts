import type { PageBytes } from '../../fetching/fetched.ts'
import type { KindOfPage } from './find-pages.ts'

/** Facts about a page that the crawl has determined. */
export interface SitePageFacts {
  kind: KindOfPage
  /** If the page is a person's profile, the name in the link to it. */
  profileOf?: string | undefined
}

/** The fetched pages of a company's site, before parsing. */
export interface SiteBytes {
  /** Registrable domain after redirects. May differ from the company's domain. */
  siteDomain: string
  /** All pages. The home page is first. */
  pages: (PageBytes & SitePageFacts)[]
  feeds: PageBytes[]
}

import type { PageBytes } from '../../fetching/fetched.ts'

/**
 * The kind of a page. `legal` is an imprint, a legal notice or a privacy policy. `other` is a page of no known kind
 * that was fetched in the search for people or facts.
 */
export type PageKind = 'home' | 'about' | 'team' | 'contact' | 'legal' | 'news' | 'other'

/** Facts about a page, determined by the crawl. */
export interface SitePageFacts {
  kind: PageKind
  /** For a person's profile page, the name in the link that leads to the page. */
  profileOf?: string | undefined
}

/** The fetched pages of a company's site, before parsing. */
export interface SiteBytes {
  /** Registrable domain after redirects, which may differ from the company's domain. */
  siteDomain: string
  /** All pages. The home page is first. */
  pages: (PageBytes & SitePageFacts)[]
  feeds: PageBytes[]
}

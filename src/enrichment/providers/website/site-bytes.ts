import type { PageBytes } from '../../fetching/fetched.ts'
import type { KindOfPage } from './find-pages.ts'

/** The fetched pages of a company's site, not yet parsed. */
export interface SiteBytes {
  /** Registrable domain after redirects; may differ from the company's domain. */
  siteDomain: string
  /** Home first. */
  pages: (PageBytes & { kind: KindOfPage })[]
  feeds: PageBytes[]
}

import type { PageBytes } from '../../fetching/fetched.ts'
import type { KindOfPage } from './find-pages.ts'

/** The few pages of a company's site that were asked for, as they came. */
export interface SiteBytes {
  /** Registrable domain where the site finally lives; another than the company's when that redirects. */
  siteDomain: string
  /** Home first. */
  pages: (PageBytes & { kind: KindOfPage })[]
  feeds: PageBytes[]
}

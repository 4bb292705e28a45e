import type { Page } from '../../extract/page.ts'
import { parsePage } from '../../extract/page.ts'
import { structuredDataOf } from '../../extract/structured-data.ts'
import type { StructuredItem } from '../../extract/structured-item.ts'
import { decodeText } from '../../fetching/decode-text.ts'
import type { PageBytes } from '../../fetching/fetched.ts'
import type { SiteBytes, SitePageFacts } from './site-bytes.ts'

/** A parsed page of the site. */
export interface SitePage extends SitePageFacts {
  page: Page
  html: string
  items: StructuredItem[]
}

/** A feed found on the site, not yet parsed. */
export interface SiteFeed {
  url: string
  text: string
}

/** The fetched and parsed pages of a company's site. */
export interface Site {
  /** Registrable domain after redirects, which may differ from the company's domain. */
  siteDomain: string
  /** All pages. The home page is first. */
  pages: SitePage[]
  feeds: SiteFeed[]
}

export const parseSite = ({ siteDomain, pages, feeds }: SiteBytes): Site => ({
  siteDomain,
  pages: pages.map(parseSitePage),
  feeds: feeds.map((feed) => ({ url: feed.url, text: decodeText(feed) })),
})

function parseSitePage({ kind, profileOf, ...bytes }: PageBytes & SitePageFacts): SitePage {
  const html = decodeText(bytes)
  const page = parsePage(html, bytes.url)
  return { kind, profileOf, page, html, items: structuredDataOf(page, html) }
}

import { parsePage } from '../../extract/page.ts'
import { decodeText } from '../../fetching/decode-text.ts'
import type { PageBytes } from '../../fetching/fetched.ts'
import type { SiteLink } from './site-links.ts'
import { distinctLinks, isSameSite, linkFromUrl } from './site-links.ts'

const MAX_URLS = 5000

export interface SitemapInput {
  page: PageBytes
  siteDomain: string
}

export interface Sitemap {
  /** Links to the listed pages, most relevant first. */
  links: SiteLink[]
  /** For a sitemap index, the sitemap to read next, preferably a sitemap of pages; otherwise null. */
  next: string | null
}

export function readSitemap({ page, siteDomain }: SitemapInput): Sitemap {
  const { $ } = parsePage(decodeText(page), page.url)
  const addresses = $('loc')
    .toArray()
    .slice(0, MAX_URLS)
    .map((loc) => $(loc).text().trim())
    .filter((url) => URL.canParse(url) && isSameSite(url, siteDomain))
  if ($('sitemapindex').length > 0)
    return { links: [], next: addresses.find((url) => /page/i.test(url)) ?? addresses[0] ?? null }
  return { links: distinctLinks(addresses.map(linkFromUrl).filter((link) => link !== undefined)), next: null }
}

import { parsePage } from '../../extract/page.ts'
import { decodeText } from '../../fetching/decode-text.ts'
import type { PageBytes } from '../../fetching/fetched.ts'
import type { PageLink } from './find-pages.ts'
import { isSameSite, judgeLink } from './find-pages.ts'

const MAX_URLS = 5000

export interface SitemapInput {
  page: PageBytes
  siteDomain: string
}

export interface Sitemap {
  /** Pages by kind, best first. */
  pages: PageLink[]
  /** For a sitemap index: the sitemap to read next, preferably the one for pages. */
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
    return { pages: [], next: addresses.find((url) => /page/i.test(url)) ?? addresses[0] ?? null }
  const pages = addresses.map((url) => judgeLink(url, '', false)).filter((link) => link !== undefined)
  return { pages: pages.toSorted((a, b) => b.score - a.score), next: null }
}

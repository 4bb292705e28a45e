import { parsePage } from '../../extract/page.ts'
import { decodeText } from '../../fetching/decode-text.ts'
import type { PageBytes } from '../../fetching/fetched.ts'
import type { PageLink } from './find-pages.ts'
import { isSameSite, judgeLink } from './find-pages.ts'
import { scorePeopleLink } from './rank-people-links.ts'

const MAX_URLS = 5000
const MAX_CANDIDATES = 40

export interface SitemapInput {
  page: PageBytes
  siteDomain: string
}

export interface Sitemap {
  /** Pages of a known kind, best first. */
  pages: PageLink[]
  /** Pages that may list people, best first. */
  people: PageLink[]
  /** For a sitemap index, the sitemap to read next, preferably one for pages; otherwise null. */
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
    return { pages: [], people: [], next: addresses.find((url) => /page/i.test(url)) ?? addresses[0] ?? null }
  const pages = addresses.map((url) => judgeLink(url, '', false)).filter((link) => link !== undefined)
  const people = addresses.flatMap((url): PageLink[] => {
    const score = scorePeopleLink(url, '', false)
    return score === null ? [] : [{ kind: 'team', url, score }]
  })
  return { pages: byScore(pages), people: byScore(people).slice(0, MAX_CANDIDATES), next: null }
}

const byScore = (links: PageLink[]): PageLink[] => links.toSorted((a, b) => b.score - a.score)

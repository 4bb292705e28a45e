import { parsePage } from '../extract/page.ts'
import type { Fetcher } from '../fetching/fetcher.ts'
import type { PageLink } from './find-pages.ts'
import { isSameSite, judgeLink } from './find-pages.ts'

const MAX_BYTES = 2_000_000
const MAX_ADDRESSES = 5000

/** Pages of a kind that the site's map names. An index is followed to one map, the one for pages if there is such. */
export async function readSitemap(
  fetcher: Fetcher,
  origin: string,
  siteDomain: string,
  signal: AbortSignal,
): Promise<PageLink[]> {
  const { sitemaps } = await fetcher.robots(origin, signal)
  let address = sitemaps.find((url) => isSameSite(url, siteDomain)) ?? `${origin}/sitemap.xml`
  for (let depth = 0; depth < 2; depth++) {
    // A site that answers by http alone may still name its maps by https.
    const fetched = await fetcher.get(origin.startsWith('http:') ? address.replace(/^https:/, 'http:') : address, {
      signal,
      accept: 'application/xml,text/xml;q=0.9,*/*;q=0.1',
      maxBytes: MAX_BYTES,
    })
    if (fetched.outcome !== 'page') return []
    const { $ } = parsePage(fetched.text(), fetched.url)
    const addresses = $('loc')
      .toArray()
      .slice(0, MAX_ADDRESSES)
      .map((loc) => $(loc).text().trim())
      .filter((url) => URL.canParse(url) && isSameSite(url, siteDomain))
    if ($('sitemapindex').length === 0)
      return addresses
        .map((url) => judgeLink(url, '', false))
        .filter((link) => link !== undefined)
        .toSorted((a, b) => b.score - a.score)
    const next = addresses.find((url) => /page/i.test(url)) ?? addresses[0]
    if (!next) return []
    address = next
  }
  return []
}

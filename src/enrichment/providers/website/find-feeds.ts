import type { Page } from '../../extract/page.ts'
import { absoluteUrl } from '../../extract/page.ts'
import { isSameSite } from './site-links.ts'

/** Finds the feeds that a page declares or links to. */
export function findFeedLinks({ $, base }: Page, siteDomain: string): string[] {
  const declared = $('link[rel~="alternate" i][href]')
    .toArray()
    .filter((link) =>
      /^application\/(?:rss|atom|feed)\+(?:xml|json)|^application\/json$/i.test($(link).attr('type') ?? ''),
    )
    .filter((link) => !/comments/i.test(`${$(link).attr('title') ?? ''} ${$(link).attr('href') ?? ''}`))
    .map((link) => $(link).attr('href') ?? '')
  const linked = $('a[href]')
    .toArray()
    .map((anchor) => $(anchor).attr('href') ?? '')
    .filter((href) => /(?:^|\/)(?:feed\/?|rss(?:\.xml)?|atom\.xml|feed\.(?:xml|json)|index\.xml)$/i.test(href))
  const urls = [...declared, ...linked].map((href) => absoluteUrl(href, base)).filter((url) => url !== undefined)
  return [...new Set(urls)].filter((url) => isSameSite(url, siteDomain))
}

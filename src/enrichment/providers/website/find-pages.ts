import { getDomain } from 'tldts'
import type { Page } from '../../extract/page.ts'
import { absoluteUrl, textOf } from '../../extract/page.ts'

export type PageKind = 'about' | 'team' | 'contact' | 'news'
export type KindOfPage = PageKind | 'home'

export interface PageLink {
  kind: PageKind
  url: string
  /** Higher is more certain. */
  score: number
}

/** Matched against the link text and the last part of the path. */
const WORDS: Record<PageKind, { strong: RegExp; weak: RegExp }> = {
  team: {
    strong:
      /^(?:(?:our|meet|the|meet our|meet the) )?(?:team|people|leadership|leadership team|management|management team|executive team|executives|leaders|professionals|partners|staff|advisors|advisers|founders|attorneys|doctors|experts|mitarbeiter|unser team|das team|équipe|notre équipe|equipo|nuestro equipo|il team|ons team|who we are|board of directors|board|our board|directors|officers|team members|our leaders|our experts|our partners|our advisors|geschäftsführung|vorstand|direction)$/i,
    weak: /\b(?:team|people|leadership|management team|executives?|who-we-are|staff|our-firm|bios?|founders|board)\b/i,
  },
  about: {
    strong:
      /^(?:about|about us|our company|company|our firm|the firm|who we are|our story|über uns|ueber uns|unternehmen|à propos|qui sommes-nous|sobre nosotros|chi siamo|over ons|company profile|firm overview|overview|corporate)$/i,
    weak: /\b(?:about|company|our-firm|firm|our-story|who-we-are|history|profile|ueber-uns)\b/i,
  },
  contact: {
    strong:
      /^(?:contact|contact us|get in touch|kontakt|contactez-nous|contacto|contatti|impressum|imprint|legal notice|locations?|offices?|our offices|find us|reach us)$/i,
    weak: /\b(?:contact|kontakt|impressum|imprint|locations?|offices?)\b/i,
  },
  news: {
    strong:
      /^(?:(?:our |latest |company |the )?(?:news|newsroom|press|press releases?|media|media center|media centre|news (?:&|and) (?:events|insights|media|press)|in the news|announcements|updates|presse|aktuelles|actualités|noticias|blog|press room|pressroom))$/i,
    weak: /\b(?:news|newsroom|press|press-releases?|media|announcements|updates|blog|aktuelles|actualites)\b/i,
  },
}

/** Paths of other pages that share a word with the kinds above. */
const WRONG =
  /\b(?:login|log-in|signin|cart|privacy|cookies?|terms|careers?|jobs?|join|client|customer-stories|case-stud|management-consult|asset-management|wealth-management|investment-management|people-ops|partner-with|become|category|tag|author|wp-content|podcast)\b/i
const FILES = /\.(?:pdf|jpe?g|png|gif|svg|webp|zip|docx?|xlsx?|pptx?|mp4|mp3|ics|css|js)$/i

/** Whether the URL has the same registrable domain. */
export const isSameSite = (url: string, siteDomain: string): boolean =>
  getDomain(url) === siteDomain || (URL.canParse(url) && new URL(url).hostname === siteDomain)

/** Navigation is among a page's first links. */
const MAX_LINKS = 2000

/** A page's links to pages of a known kind, best first; each target once, with its best kind. */
export function findPageLinks(page: Page, siteDomain: string): PageLink[] {
  const { $, base } = page
  const best = new Map<string, PageLink>()
  for (const anchor of $('a[href]').slice(0, MAX_LINKS).toArray()) {
    const url = absoluteUrl($(anchor).attr('href') ?? '', base)
    if (!url || url === page.url || !isSameSite(url, siteDomain)) continue
    const inNavigation =
      $(anchor).closest(
        'nav, header, footer, [role="navigation"], [class*="menu" i], [class*="nav" i], [class*="footer" i]',
      ).length > 0
    const text = textOf(anchor) || ($(anchor).attr('title') ?? $(anchor).attr('aria-label') ?? '')
    const link = judgeLink(url, text, inNavigation)
    if (link && link.score > (best.get(url)?.score ?? 0)) best.set(url, link)
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

/** Classifies a link by its text and path. `text` may be empty, as in a sitemap. */
export function judgeLink(url: string, text: string, inNavigation: boolean): PageLink | undefined {
  const { pathname } = new URL(url)
  if (pathname === '/' || FILES.test(pathname) || WRONG.test(pathname.replaceAll('/', ' '))) return undefined
  const parts = pathname
    .split('/')
    .filter(Boolean)
    .map((part) => decode(part).replace(/\.(?:html?|php|aspx?|jsp)$/i, ''))
  const last = (parts.at(-1) ?? '').replace(/[-_]+/g, ' ')
  // A year or a long slug in the path marks an article.
  if (parts.some((part) => /^(?:19|20)\d{2}$/.test(part)) || last.split(' ').length > 4) return undefined
  let found: PageLink | undefined
  for (const kind of ['team', 'news', 'contact', 'about'] as const) {
    const { strong, weak } = WORDS[kind]
    const words = text.replace(/[\s›»→>]+$/, '').trim()
    const points =
      (strong.test(words) ? 4 : 0) + (strong.test(last) ? 3 : 0) + (weak.test(last.replaceAll(' ', '-')) ? 1 : 0)
    if (points === 0) continue
    const score = points + (inNavigation ? 1 : 0) - Math.max(0, parts.length - 2) * 0.5
    if (!found || score > found.score) found = { kind, url, score }
  }
  return found
}

/** Feeds that a page declares or links to. */
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

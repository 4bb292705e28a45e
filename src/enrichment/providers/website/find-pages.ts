import type { Element } from 'domhandler'
import { getDomain } from 'tldts'
import type { Page } from '../../extract/page.ts'
import { absoluteUrl, textOf } from '../../extract/page.ts'
import { readWordSet } from '../../vocabulary/read-words.ts'
import { plainLinkText, readLinkTexts } from './link-text.ts'

export type PageKind = 'about' | 'team' | 'contact' | 'news'
/** `other` is a page that was fetched to search for people but is not the team page. */
export type KindOfPage = PageKind | 'home' | 'other'

export interface PageLink {
  kind: PageKind
  url: string
  /** Higher scores are more certain. */
  score: number
}

const KINDS = ['team', 'news', 'contact', 'about'] as const

/** For each kind of page, link texts (also compared with the last part of the path) and words in paths. */
const WORDS = Object.fromEntries(
  KINDS.map((kind) => [kind, { texts: readLinkTexts(`links/${kind}`), words: readWordSet(`links/${kind}-words`) }]),
) as Record<PageKind, { texts: ReadonlySet<string>; words: ReadonlySet<string> }>

/** Matches paths that contain a word of one of these kinds but lead to other pages. */
const WRONG =
  /\b(?:login|log-in|signin|cart|privacy|cookies?|terms|careers?|jobs?|join|client|customer-stories|case-stud|management-consult|asset-management|wealth-management|investment-management|people-ops|partner-with|become|category|tag|author|wp-content|podcast)\b/i
const FILES = /\.(?:pdf|jpe?g|png|gif|svg|webp|zip|docx?|xlsx?|pptx?|mp4|mp3|ics|css|js)$/i

/** Whether the URL has the same registrable domain. */
export const isSameSite = (url: string, siteDomain: string): boolean =>
  getDomain(url) === siteDomain || (URL.canParse(url) && new URL(url).hostname === siteDomain)

/** Maximum number of links read per page. Navigation links are usually among the first. */
const MAX_LINKS = 2000

/** Finds a page's links to pages of a known kind, best first. Each target occurs once, with its most likely kind. */
export function findPageLinks(page: Page, siteDomain: string): PageLink[] {
  const { $, base } = page
  const best = new Map<string, PageLink>()
  for (const anchor of $('a[href]').slice(0, MAX_LINKS).toArray()) {
    const url = absoluteUrl($(anchor).attr('href') ?? '', base)
    if (!url || url === page.url || !isSameSite(url, siteDomain)) continue
    const link = judgeLink(url, linkText(page, anchor), isInNavigation(page, anchor))
    if (link && link.score > (best.get(url)?.score ?? 0)) best.set(url, link)
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

/** Returns the text of a link, otherwise its title or label. */
export const linkText = ({ $ }: Page, anchor: Element): string =>
  textOf(anchor) || ($(anchor).attr('title') ?? $(anchor).attr('aria-label') ?? '')

const NAVIGATION =
  'nav, header, footer, [role="navigation"], [class*="menu" i], [class*="nav" i], [class*="footer" i], [id*="menu" i], [id*="nav" i]'

export const isInNavigation = ({ $ }: Page, anchor: Element): boolean => $(anchor).closest(NAVIGATION).length > 0

/** Classifies a link by its text and path. `text` is empty for URLs from a sitemap. */
export function judgeLink(url: string, text: string, inNavigation: boolean): PageLink | undefined {
  if (isOtherContent(url)) return undefined
  const parts = pathParts(url)
  const last = (parts.at(-1) ?? '').replace(/[-_]+/g, ' ')
  const plainText = plainLinkText(text)
  const plainLast = plainLinkText(last)
  const slug = last.replaceAll(' ', '-').toLowerCase()
  let found: PageLink | undefined
  for (const kind of KINDS) {
    const { texts, words } = WORDS[kind]
    const points = (texts.has(plainText) ? 4 : 0) + (texts.has(plainLast) ? 3 : 0) + (hasWord(slug, words) ? 1 : 0)
    if (points === 0) continue
    const score = points + (inNavigation ? 1 : 0) - Math.max(0, parts.length - 2) * 0.5
    if (!found || score > found.score) found = { kind, url, score }
  }
  return found
}

/** Whether a slug contains one of the words. The words may contain hyphens. */
const hasWord = (slug: string, words: ReadonlySet<string>): boolean =>
  slug.split(/[^\p{L}\p{N}]+/u).some((word) => words.has(word)) ||
  [...words].some((word) => word.includes('-') && `-${slug}-`.includes(`-${word}-`))

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

/** Returns the parts of a URL's path, decoded and without file extensions. */
export const pathParts = (url: string): string[] =>
  new URL(url).pathname
    .split('/')
    .filter(Boolean)
    .map((part) => decode(part).replace(/\.(?:html?|php|aspx?|jsp)$/i, ''))

/**
 * Whether a URL leads to the home page, a file, an unrelated page or an article. Articles have a year or a long slug in
 * their path.
 */
export function isOtherContent(url: string): boolean {
  const { pathname } = new URL(url)
  const parts = pathParts(url)
  return (
    pathname === '/' ||
    FILES.test(pathname) ||
    WRONG.test(pathname.replaceAll('/', ' ')) ||
    parts.some((part) => /^(?:19|20)\d{2}$/.test(part)) ||
    (parts.at(-1) ?? '').split(/[-_ ]+/).length > 4
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

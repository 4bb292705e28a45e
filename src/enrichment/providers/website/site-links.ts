import type { Element } from 'domhandler'
import { getDomain } from 'tldts'
import type { Page } from '../../extract/page.ts'
import { absoluteUrl, textOf } from '../../extract/page.ts'
import { readScriptData } from '../../extract/script-data.ts'
import type { LinkProbabilities } from './link-kinds/classify-link.ts'
import { classifyLink } from './link-kinds/classify-link.ts'
import type { LinkContext, LinkRegion } from './link-kinds/features.ts'

/** A link to a page on the same site. */
export interface SiteLink {
  url: string
  /** Probability for each kind of page. */
  odds: LinkProbabilities
}

/** Matches paths whose pages rarely contain people or company facts. */
const WRONG =
  /\b(?:login|log-in|signin|cart|cookies?|careers?|jobs?|join|client|customer-stories|case-stud|management-consult|asset-management|wealth-management|investment-management|people-ops|partner-with|become|category|tag|author|wp-content|podcast)\b/i
const FILES = /\.(?:pdf|jpe?g|png|gif|svg|webp|zip|docx?|xlsx?|pptx?|mp4|mp3|ics|css|js)$/i

/** Maximum number of words in the last part of a path, in general and in menus. */
const MAX_WORDS = 4
const MAX_MENU_WORDS = 7
/** Minimum probability that a link names a team. */
const SURE_TEAM = 0.5
/** Maximum number of links read per page. Navigation links are usually among the first. */
const MAX_LINKS = 2000
/** Maximum length of a link text. Longer link texts are article teasers. */
const MAX_TEXT = 120
/** Maximum number of links kept per page, most relevant first. */
const MAX_KEPT = 80
/** Menus rendered by scripts are read only if the page itself has fewer links than this. */
const FEW_LINKS = 3

/** Returns whether the URL is on the site's registrable domain. */
export const isSameSite = (url: string, siteDomain: string): boolean =>
  getDomain(url) === siteDomain || (URL.canParse(url) && new URL(url).hostname === siteDomain)

/** Returns the parts of a URL's path, decoded and without file extensions. */
export const pathParts = (url: string): string[] =>
  new URL(url).pathname
    .split('/')
    .filter(Boolean)
    .map((part) => decode(part).replace(/\.(?:html?|php|aspx?|jsp)$/i, ''))

/**
 * Returns whether a URL leads to the home page, a file, an unrelated page or an article. Article paths contain a year
 * or a long slug, but menus also link to pages with long slugs: `/from-the-bean-to-the-people`.
 */
function isOtherContent(url: string, isInMenu: boolean): boolean {
  const { pathname } = new URL(url)
  const parts = pathParts(url)
  return (
    pathname === '/' ||
    FILES.test(pathname) ||
    parts.some((part) => /^(?:19|20)\d{2}$/.test(part)) ||
    (parts.at(-1) ?? '').split(/[-_ ]+/).length > (isInMenu ? MAX_MENU_WORDS : MAX_WORDS)
  )
}

/** Classifies a page's links to other pages on the same site. Each target appears once, most relevant first. */
export function findSiteLinks(page: Page, siteDomain: string): SiteLink[] {
  return distinctLinks(
    readSiteLinks(page, siteDomain)
      .map(({ url, context }) => ({ url, odds: classifyLink(context) }))
      .filter((link) => !isWrong(link)),
  )
}

/** Classifies a URL without a link text, such as one from a sitemap. Returns undefined for unrelated pages. */
export function linkFromUrl(url: string): SiteLink | undefined {
  if (isOtherContent(url, false)) return undefined
  const link = { url, odds: classifyLink(contextOf(url, '', 'sitemap')) }
  return isWrong(link) ? undefined : link
}

/**
 * Returns whether a path contains a word of `WRONG`. If the link names a team, a part of the path must start with the
 * word: `/careers/team`, but not `/whos-on-the-job`.
 */
function isWrong({ url, odds }: SiteLink): boolean {
  const found = WRONG.exec(new URL(url).pathname.replaceAll('/', ' '))
  return found !== null && (odds.team < SURE_TEAM || /^$|\s$/u.test(found.input.slice(0, found.index)))
}

/**
 * Keeps the most informative link for each target. Sorts the links by the probability that the target is of a known
 * kind, highest first.
 */
export function distinctLinks(links: readonly SiteLink[]): SiteLink[] {
  const best = new Map<string, SiteLink>()
  for (const link of links) {
    const known = best.get(link.url)
    if (!known || link.odds.other < known.odds.other) best.set(link.url, link)
  }
  return [...best.values()].toSorted((a, b) => a.odds.other - b.odds.other).slice(0, MAX_KEPT)
}

/** Reads a page's links with their texts and positions, except links to unrelated pages. */
export function readSiteLinks(page: Page, siteDomain: string): { url: string; context: LinkContext }[] {
  const { $, base } = page
  const found: { url: string; context: LinkContext }[] = []
  const add = (href: string, text: string, region: LinkRegion): void => {
    const url = absoluteUrl(href, base)
    const isInMenu = region === 'navigation' && text !== ''
    if (!url || url === page.url || !isSameSite(url, siteDomain) || isOtherContent(url, isInMenu)) return
    found.push({ url, context: contextOf(url, text, region) })
  }
  const regionOf = regions()
  for (const anchor of $('a[href], area[href]').slice(0, MAX_LINKS).toArray())
    add($(anchor).attr('href') ?? '', linkText(page, anchor), regionOf(anchor))
  for (const frame of $('frame[src], iframe[src]').slice(0, 20).toArray())
    add($(frame).attr('src') ?? '', $(frame).attr('name') ?? '', 'body')
  if (found.length < FEW_LINKS)
    for (const { href, text } of linksInData(readScriptData(page))) add(href, text, 'navigation')
  return found
}

const contextOf = (url: string, text: string, region: LinkRegion): LinkContext => ({
  text: text.slice(0, MAX_TEXT),
  parts: pathParts(url),
  hasQuery: new URL(url).search !== '',
  region,
})

/** Returns a link's text or, if it has none, its title, label or image description. */
export const linkText = ({ $ }: Page, anchor: Element): string =>
  textOf(anchor) ||
  ($(anchor).attr('title') ??
    $(anchor).attr('aria-label') ??
    $(anchor).attr('alt') ??
    $(anchor).find('img[alt]').first().attr('alt') ??
    '')

const FOOTER = /footer/i
const NAVIGATION = /menu|nav/i

/** Returns a function that determines the part of the page that contains an element. */
function regions(): (element: Element) => LinkRegion {
  const known = new Map<Element, LinkRegion>()
  return (element) => {
    const path: Element[] = []
    let node: Element | null = element
    for (; node?.type === 'tag' && !known.has(node); node = node.parent as Element | null) path.push(node)
    let region = (node && known.get(node)) ?? 'body'
    for (const one of path.toReversed()) {
      region = regionWithin(one, region)
      known.set(one, region)
    }
    return region
  }
}

/** Returns the region of an element in a parent's region. A footer takes precedence over navigation. */
function regionWithin({ name, attribs }: Element, outer: LinkRegion): LinkRegion {
  const { id = '', class: style = '', role = '' } = attribs
  if (outer === 'footer' || name === 'footer' || FOOTER.test(style) || FOOTER.test(id)) return 'footer'
  const isMenu = name === 'nav' || name === 'header' || role === 'navigation'
  return outer === 'navigation' || isMenu || NAVIGATION.test(style) || NAVIGATION.test(id) ? 'navigation' : 'body'
}

const PATH = /^\/[\p{L}\p{N}][\p{L}\p{N}/_.-]{1,80}$/u
const MAX_NODES = 20_000

/** Finds objects that contain a path and a short text, like the entries in a menu. */
function linksInData(data: readonly unknown[]): { href: string; text: string }[] {
  const found: { href: string; text: string }[] = []
  const stack = [...data]
  for (let nodes = 0; stack.length > 0 && nodes < MAX_NODES && found.length < MAX_LINKS; nodes++) {
    const next = stack.pop()
    if (typeof next !== 'object' || next === null) continue
    const values = Object.values(next)
    const texts = values.filter((value): value is string => typeof value === 'string')
    const href = texts.find((text) => PATH.test(text))
    if (href) found.push({ href, text: texts.find((text) => text !== href && text.length <= 40) ?? '' })
    for (const value of values) if (typeof value === 'object') stack.push(value)
  }
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

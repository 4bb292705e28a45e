import type { Page } from '../../extract/page.ts'
import { absoluteUrl } from '../../extract/page.ts'
import type { PageLink } from './find-pages.ts'
import { isInNavigation, isOtherContent, isSameSite, judgeLink, linkText, pathParts } from './find-pages.ts'
import { plainLinkText, readLinkTexts } from './link-text.ts'

const ELSEWHERE = readLinkTexts('links/elsewhere')
const MAX_LINKS = 2000
const MAX_CANDIDATES = 40

/**
 * Finds links that may lead to people, best first. Ranks them by text, path, position and depth. Text in an unknown
 * language does not affect the score.
 */
export function rankPeopleLinks(page: Page, siteDomain: string): PageLink[] {
  const { $, base } = page
  const best = new Map<string, PageLink>()
  for (const anchor of $('a[href]').slice(0, MAX_LINKS).toArray()) {
    const url = absoluteUrl($(anchor).attr('href') ?? '', base)
    if (!url || url === page.url || !isSameSite(url, siteDomain)) continue
    const score = scorePeopleLink(url, linkText(page, anchor), isInNavigation(page, anchor))
    if (score !== null && score > (best.get(url)?.score ?? Number.NEGATIVE_INFINITY))
      best.set(url, { kind: 'team', url, score })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES)
}

/** Scores a link. Returns null if it cannot lead to people. `text` is empty for URLs from a sitemap. */
export function scorePeopleLink(url: string, text: string, inNavigation: boolean): number | null {
  if (isOtherContent(url)) return null
  const plain = plainLinkText(text)
  const parts = pathParts(url)
  const last = plainLinkText(parts.at(-1) ?? '')
  const kind = judgeLink(url, text, inNavigation)
  let score = kind?.kind === 'team' ? kind.score : kind?.kind === 'about' ? 1.5 : kind ? -2 : 0
  if (ELSEWHERE.has(plain) || ELSEWHERE.has(last)) score -= 3
  if (inNavigation) score += 1
  if (plain.split(' ').length > 4 || /\d/.test(plain)) score -= 1.5
  if (new URL(url).search !== '') score -= 1
  return score - 0.7 * (parts.length - 1)
}

import type { Page } from '../../extract/page.ts'
import { absoluteUrl, textOf } from '../../extract/page.ts'
import type { StructuredItem } from '../../extract/structured-item.ts'
import { extractPeople } from '../../people/extract-people.ts'
import { scoreName } from '../../people/names/score-name.ts'
import { isSameSite, linkText } from './site-links.ts'

/** The number of people on a page, and links to pages that may list more people. */
export interface PeopleOnPage {
  /** Number of people with titles. */
  titled: number
  /** URL of the next page of the list; null if there is none. */
  next: string | null
  /** Profile pages below this page whose links are people's names; empty if this page already contains titles. */
  profiles: { url: string; name: string }[]
  /** Other pages below this page, which may list subteams. */
  subpages: string[]
}

const MAX_SUBPAGES = 6

/**
 * Counts the people on a page and finds links to more people. `isTeamPage` is true if the link to this page names a
 * team.
 */
export function findPeople(
  page: Page,
  items: readonly StructuredItem[],
  siteDomain: string,
  isTeamPage: boolean,
): PeopleOnPage {
  const context = { domain: siteDomain, names: [], source: '', observed_at: '', isTeamPage }
  const titled = extractPeople(page, items, context).filter(({ title }) => title !== null).length
  const below = linksBelow(page, siteDomain)
  const profiles = new Map(
    titled > 0 ? [] : below.filter(({ text }) => scoreName(text) >= 0.6).map(({ url, text }) => [url, text]),
  )
  const next = nextPage(page, siteDomain) ?? null
  const subpages = new Set(below.filter(({ text }) => isSection(text)).map(({ url }) => url))
  return {
    titled,
    next,
    profiles: [...profiles].map(([url, name]) => ({ url, name })),
    subpages: [...subpages].filter((url) => url !== next && !profiles.has(url)).slice(0, MAX_SUBPAGES),
  }
}

/** Returns whether a link text is a short label that is not a person's name, a number or `read more`. */
const isSection = (text: string): boolean =>
  text !== '' &&
  text.split(/\s+/).length <= 4 &&
  !/\d/.test(text) &&
  scoreName(text) < 0.75 &&
  !/\b(?:more|bio|profile|mehr|plus|más)\b/i.test(text)

const NEXT = /^(?:next(?: page)?|older|more people|weiter|nächste(?: seite)?|suivante?|siguiente|[›»→>]+|\d{1,2})$/i

/**
 * Finds the next page of a list: a rel=next link, or a link with a text such as `next` or `2` to the same path with the
 * next page number.
 */
function nextPage({ $, base, url }: Page, siteDomain: string): string | undefined {
  const here = numbered(url)
  for (const link of $('link[rel~="next" i][href], a[href]').toArray()) {
    const target = absoluteUrl($(link).attr('href') ?? '', base)
    const declared = /\bnext\b/i.test($(link).attr('rel') ?? '')
    if (!target || !isSameSite(target, siteDomain) || !(declared || NEXT.test(textOf(link)))) continue
    const there = numbered(target)
    if (there.path === here.path && there.number === here.number + 1) return target
  }
  return undefined
}

/**
 * Splits `/team?page=2` or `/team/page/2/` into `/team` and 2. The page number is 1 if the path does not contain a page
 * number.
 */
function numbered(url: string): { path: string; number: number } {
  const { pathname, searchParams } = new URL(url)
  const [, path = pathname, inPath] = /^(.*?)\/(?:page|seite)[/-]?(\d{1,3})\/?$/.exec(pathname) ?? []
  const inQuery = ['page', 'p', 'pg', 'paged', 'seite']
    .map((name) => searchParams.get(name))
    .find((one) => /^\d{1,3}$/.test(one ?? ''))
  return { path: path.replace(/\/$/, ''), number: Number(inPath ?? inQuery ?? 1) }
}

/** Finds links to pages below this page. */
function linksBelow(page: Page, siteDomain: string): { url: string; text: string }[] {
  const { $, base, url } = page
  const folder = `${new URL(url).pathname.replace(/(?:\/index)?\.\w+$|\/$/, '')}/`
  return $('a[href]')
    .toArray()
    .map((link) => ({ url: absoluteUrl($(link).attr('href') ?? '', base), text: linkText(page, link) }))
    .filter(
      (link): link is { url: string; text: string } =>
        link.url !== undefined &&
        isSameSite(link.url, siteDomain) &&
        new URL(link.url).pathname.startsWith(folder) &&
        new URL(link.url).pathname !== folder,
    )
}

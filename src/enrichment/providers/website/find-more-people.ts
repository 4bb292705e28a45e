import type { Page } from '../../extract/page.ts'
import { absoluteUrl, textOf } from '../../extract/page.ts'
import { scoreName } from '../../people/names/score-name.ts'
import { readPagePeople } from '../../people/page/page-people.ts'
import { isSameSite } from './find-pages.ts'

/** Links from a team page to the rest of the team: its next page, and each person's page when the list has no titles. */
export function findMorePeople(page: Page, siteDomain: string): string[] {
  const next = nextPage(page, siteDomain)
  const people = readPagePeople(page)
  return [...(next ? [next] : []), ...(people.some(({ title }) => title !== null) ? [] : ownPages(page, siteDomain))]
}

const NEXT = /^(?:next(?: page)?|older|more people|weiter|nächste(?: seite)?|suivante?|siguiente|[›»→>]+|\d{1,2})$/i

/** The next page of a list: declared by rel=next, or a numbered link to the same path. */
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

/** `/team?page=2`, `/team/page/2/` -> `/team` and 2; page 1 without a number. */
function numbered(url: string): { path: string; number: number } {
  const { pathname, searchParams } = new URL(url)
  const [, path = pathname, inPath] = /^(.*?)\/(?:page|seite)[/-]?(\d{1,3})\/?$/.exec(pathname) ?? []
  const inQuery = ['page', 'p', 'pg', 'paged', 'seite']
    .map((name) => searchParams.get(name))
    .find((one) => /^\d{1,3}$/.test(one ?? ''))
  return { path: path.replace(/\/$/, ''), number: Number(inPath ?? inQuery ?? 1) }
}

/** Pages below the team page that are linked by a person's name. */
function ownPages({ $, base, url }: Page, siteDomain: string): string[] {
  const folder = `${new URL(url).pathname.replace(/(?:\/index)?\.\w+$|\/$/, '')}/`
  const found = $('a[href]')
    .toArray()
    .filter((link) => scoreName(textOf(link)) >= 0.6)
    .map((link) => absoluteUrl($(link).attr('href') ?? '', base))
    .filter(
      (target) => target !== undefined && isSameSite(target, siteDomain) && new URL(target).pathname.startsWith(folder),
    )
  return [...new Set(found as string[])]
}

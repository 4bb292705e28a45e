import { parsePage, textOf } from '../../extract/page.ts'
import { decodeText } from '../../fetching/decode-text.ts'
import type { PageBytes } from '../../fetching/fetched.ts'
import { isParked } from './find-home.ts'
import type { KindOfPage, PageLink } from './find-pages.ts'
import { findFeedLinks, findPageLinks } from './find-pages.ts'
import type { PeopleOnPage } from './find-people.ts'
import { findPeople } from './find-people.ts'
import { rankPeopleLinks } from './rank-people-links.ts'

export interface LinksInput {
  page: PageBytes
  kind: KindOfPage
  siteDomain: string
}

/** The links on a page that are relevant to the crawl. */
export interface PageLinks {
  /** Whether the home page belongs to a parked domain. */
  isParked: boolean
  /** Links to pages of a known kind, best first. Empty except for home and about pages. */
  pages: PageLink[]
  /** Declared and linked feeds. Empty except for home and news pages. */
  feeds: string[]
  /** Links that may lead to people, best first. Empty except for home and about pages. */
  candidates: PageLink[]
  /** People on the page. Empty except for pages that were fetched to find people. */
  people: PeopleOnPage
}

/** Reads the links that determine the crawl's next requests. */
export function readLinks({ page: bytes, kind, siteDomain }: LinksInput): PageLinks {
  const html = decodeText(bytes)
  const page = parsePage(html, bytes.url)
  const isStart = kind === 'home' || kind === 'about'
  const mayShowPeople = kind === 'team' || kind === 'other'
  return {
    isParked: kind === 'home' && isParked(textOf(page.$('body'))),
    pages: isStart ? findPageLinks(page, siteDomain) : [],
    candidates: isStart ? rankPeopleLinks(page, siteDomain) : [],
    feeds: kind === 'home' || kind === 'news' ? findFeedLinks(page, siteDomain) : [],
    people: mayShowPeople
      ? findPeople(page, html, siteDomain, kind === 'team')
      : { titled: 0, next: null, profiles: [], subpages: [] },
  }
}

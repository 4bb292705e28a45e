import { parsePage, textOf } from '../../extract/page.ts'
import { decodeText } from '../../fetching/decode-text.ts'
import type { PageBytes } from '../../fetching/fetched.ts'
import { isParked } from './find-home.ts'
import { findMorePeople } from './find-more-people.ts'
import type { KindOfPage, PageLink } from './find-pages.ts'
import { findFeedLinks, findPageLinks } from './find-pages.ts'

export interface LinksInput {
  page: PageBytes
  kind: KindOfPage
  siteDomain: string
}

/** Where a page leads, so far as that is of use on a page of its kind. */
export interface PageLinks {
  /** A home page that says that nobody lives here. */
  isParked: boolean
  /** Pages of a kind, surest first: of home and "about". */
  pages: PageLink[]
  /** Declared feeds: of home and news. */
  feeds: string[]
  /** The rest of a team. */
  people: string[]
}

/** Reads what a guest needs to know before the next request. */
export function readLinks({ page: bytes, kind, siteDomain }: LinksInput): PageLinks {
  const page = parsePage(decodeText(bytes), bytes.url)
  return {
    isParked: kind === 'home' && isParked(textOf(page.$('body'))),
    pages: kind === 'home' || kind === 'about' ? findPageLinks(page, siteDomain) : [],
    feeds: kind === 'home' || kind === 'news' ? findFeedLinks(page, siteDomain) : [],
    people: kind === 'team' ? findMorePeople(page, siteDomain) : [],
  }
}

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

/** The links of a page that the crawl can use. */
export interface PageLinks {
  /** The home page of an unused domain. */
  isParked: boolean
  /** Pages by kind, best first; from home and about pages. */
  pages: PageLink[]
  /** Declared feeds; from home and news pages. */
  feeds: string[]
  /** Further pages of the team; from team pages. */
  people: string[]
}

/** Reads the links that decide the crawl's next requests. */
export function readLinks({ page: bytes, kind, siteDomain }: LinksInput): PageLinks {
  const page = parsePage(decodeText(bytes), bytes.url)
  return {
    isParked: kind === 'home' && isParked(textOf(page.$('body'))),
    pages: kind === 'home' || kind === 'about' ? findPageLinks(page, siteDomain) : [],
    feeds: kind === 'home' || kind === 'news' ? findFeedLinks(page, siteDomain) : [],
    people: kind === 'team' ? findMorePeople(page, siteDomain) : [],
  }
}

import type { FieldGroup } from '../../../findings/provider.ts'
import { extractCompany } from '../../company/extract-company.ts'
import { findEndpoints } from '../../extract/endpoints.ts'
import { parsePage, textOf } from '../../extract/page.ts'
import { structuredDataOf } from '../../extract/structured-data.ts'
import { decodeText } from '../../fetching/decode-text.ts'
import type { PageBytes } from '../../fetching/fetched.ts'
import { findFeedLinks } from './find-feeds.ts'
import { isParked } from './find-home.ts'
import type { PeopleOnPage } from './find-people.ts'
import { findPeople } from './find-people.ts'
import type { PageKind } from './site-bytes.ts'
import type { SiteLink } from './site-links.ts'
import { findSiteLinks, isSameSite } from './site-links.ts'

export interface LinksInput {
  page: PageBytes
  kind: PageKind
  siteDomain: string
  /** Requested field groups. Company fields and people are read only if their groups are requested. */
  groups: ReadonlySet<FieldGroup>
}

/** The page contents that determine the crawl's next requests. */
export interface PageLinks {
  /** Whether the page has almost no text without its scripts. */
  isDrawnByScripts: boolean
  /** Whether the home page belongs to a parked domain. */
  isParked: boolean
  /** Links to other pages on the site, most relevant first. */
  links: SiteLink[]
  /** Declared and linked feeds; empty for pages other than home and news pages. */
  feeds: string[]
  /**
   * JSON documents that the page loads from the same site; empty if the page shows people or is not searched for
   * people.
   */
  endpoints: string[]
  /** People on the page; empty for the home page, for news pages and if people are not requested. */
  people: PeopleOnPage
  /** Names of the company fields that the page contains; empty if company fields are not requested. */
  facts: string[]
}

/** Minimum length of the text of a page that is not drawn by scripts. */
const MIN_TEXT = 200
const SCRIPTS = 'script:not([type]), script[type="module" i], script[type*="javascript" i]'

const NO_PEOPLE: PeopleOnPage = { titled: 0, next: null, profiles: [], subpages: [] }

/** Reads the page contents that determine the crawl's next requests. */
export function readLinks({ page: bytes, kind, siteDomain, groups }: LinksInput): PageLinks {
  const html = decodeText(bytes)
  const page = parsePage(html, bytes.url)
  const mayShowFacts = groups.has('company') && kind !== 'news'
  const mayShowPeople = groups.has('leadership') && kind !== 'home' && kind !== 'news'
  const items = mayShowFacts || mayShowPeople ? structuredDataOf(page, html) : []
  const facts = mayShowFacts ? extractCompany([{ page, items }], siteDomain, '') : []
  const people = mayShowPeople ? findPeople(page, items, siteDomain, kind === 'team') : NO_PEOPLE
  const needsData = mayShowPeople && people.titled === 0
  const text = textOf(page.$('body'))
  return {
    isDrawnByScripts: text.length < MIN_TEXT && page.$(SCRIPTS).length > 0,
    isParked: kind === 'home' && isParked(text),
    links: findSiteLinks(page, siteDomain),
    feeds: kind === 'home' || kind === 'news' ? findFeedLinks(page, siteDomain) : [],
    endpoints: needsData ? findEndpoints(page).filter((url) => isSameSite(url, siteDomain)) : [],
    people,
    facts: [...new Set(facts.map(({ field }) => field))],
  }
}

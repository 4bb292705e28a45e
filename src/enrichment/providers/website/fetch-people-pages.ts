import type { Crawl, CrawledPage } from './crawl.ts'
import { SURE } from './crawl.ts'
import type { PageKind } from './site-bytes.ts'
import type { SiteLink } from './site-links.ts'

/** Maximum number of pages fetched because their link names a team. */
const MAX_NAMED = 3
const MAX_DEAD_LINKS = 3
/**
 * Minimum number of people with titles at which a page is certainly the team page. A page with at least `FEW` people is
 * chosen only if no other page has more.
 */
const ENOUGH = 3
const FEW = 2
/** Number of pages without people after which the remaining links are not followed. */
const MAX_BARREN = 4
/** Score for a subpage, which may list a subteam. This score is higher than the score of most menu links. */
const SUBPAGE_SCORE = 0.25

interface Candidate {
  url: string
  /** Whether the link names a team. */
  isNamed?: boolean
  profileOf?: string
  /** The page that links to this page and is its parent in the URL path. */
  hub?: string
}

interface Visit extends CrawledPage {
  hub: string | undefined
}

/**
 * Fetches pages that list people: pages whose links name a team or, if those list too few people, pages with the
 * highest-ranked links. Among the highest-ranked pages, the page that lists the most people with titles is the team
 * page. Then fetches the team page's next pages, profiles and sibling teams, and finally further pages that may list
 * people. Leaves `reserved` pages in the budget.
 */
export async function fetchPeoplePages(crawl: Crawl, maxPeople: number, reserved: number): Promise<void> {
  const search = new PeopleSearch(crawl, maxPeople, reserved)
  await search.visitNamed()
  if (search.titled < FEW) await search.explore()
  await search.sweep()
}

/** Scores the likelihood that a link leads to people. About pages list people more often than other pages. */
const interest = ({ odds }: SiteLink): number => odds.team + 0.3 * odds.about - 0.3 * (odds.news + odds.legal)

/**
 * Scores the likelihood that a link leads to further people, such as those on contact pages and on pages about
 * branches.
 */
const furtherInterest = (link: SiteLink): number => interest(link) + 0.5 * link.odds.contact

class PeopleSearch {
  readonly #crawl: Crawl
  readonly #maxPeople: number
  readonly #reserved: number
  readonly #subpages: Candidate[] = []
  readonly #deadLinksBefore: number
  titled = 0

  constructor(crawl: Crawl, maxPeople: number, reserved: number) {
    this.#crawl = crawl
    this.#maxPeople = maxPeople
    this.#reserved = reserved
    this.#deadLinksBefore = crawl.deadLinks
  }

  get #isDone(): boolean {
    const { budget, deadLinks } = this.#crawl
    return (
      this.titled >= this.#maxPeople || deadLinks - this.#deadLinksBefore >= MAX_DEAD_LINKS || budget <= this.#reserved
    )
  }

  /** Visits pages whose links name a team, including links found on these pages. */
  async visitNamed(): Promise<void> {
    for (let pages = 0; pages < MAX_NAMED && !this.#isDone; ) {
      const link = this.#crawl.links(({ odds }) => odds.team)[0]
      if (!link || link.odds.team < SURE) return
      const visit = await this.#visit({ ...this.#asSubpage(link), isNamed: true })
      if (!visit) continue
      pages += 1
      if (isTeam(visit)) await this.#follow(visit)
      else this.#subpages.push(...subpagesOf(visit))
    }
  }

  /** Visits the most likely pages until one is clearly the team page, and follows the best page's links. */
  async explore(): Promise<void> {
    const visits: Visit[] = []
    while (!this.#isDone) {
      const next = this.#nextCandidate()
      if (!next) break
      const visit = await this.#visit(next)
      if (!visit) continue
      visits.push(visit)
      if (support(visit, visits) >= ENOUGH) break
      if (visit.links.people.titled === 0) this.#subpages.push(...subpagesOf(visit))
    }
    const best = visits.toSorted((a, b) => support(b, visits) - support(a, visits))[0]
    if (!best || support(best, visits) < FEW) return
    setKind(best, 'team')
    await this.#follow(best)
    const isSibling = ({ hub }: { hub?: string | undefined }): boolean => best.hub !== undefined && hub === best.hub
    for (const visit of visits)
      if (visit !== best && isSibling(visit)) setKind(visit, 'team')
      else if (visit !== best && visit.links.people.titled > 0 && areInOneFolder(visit, best)) setKind(visit, 'about')
    await this.#followAll(this.#subpages.filter(isSibling))
  }

  /**
   * Visits the remaining links, because people are also listed on the pages of branches, departments and projects.
   * Stops after several pages without people.
   */
  async sweep(): Promise<void> {
    for (let barren = 0; barren < MAX_BARREN && !this.#isDone; ) {
      const link = this.#crawl.links(furtherInterest).find((one) => !this.#isNewsroom(one))
      if (!link || link.odds.news >= SURE || link.odds.legal >= SURE) return
      const visit = await this.#visit(this.#asSubpage(link), link.odds.contact >= SURE ? 'contact' : 'other')
      if (!visit || visit.links.people.titled === 0) {
        barren += 1
        continue
      }
      this.titled += visit.links.people.titled
      if (visit.page.kind === 'other') setKind(visit, 'about')
    }
  }

  /** Returns the page to explore next: a subpage, unless a link is more likely to lead to people. */
  #nextCandidate(): Candidate | undefined {
    const link = this.#crawl.links(interest).find((one) => !this.#isNewsroom(one))
    if (this.#subpages.length > 0 && (!link || interest(link) < SUBPAGE_SCORE)) return this.#subpages.shift()
    return link && this.#asSubpage(link)
  }

  /** Returns whether a link is reserved for the news search. Each page is fetched only once, as one kind of page. */
  #isNewsroom({ odds }: SiteLink): boolean {
    return this.#crawl.deps.groups.has('signals') && odds.news >= SURE
  }

  /** Returns the candidate for a link, which includes the parent page if the link leads to a known subpage. */
  #asSubpage = ({ url }: SiteLink): Candidate => this.#subpages.find((subpage) => subpage.url === url) ?? { url }

  async #visit(
    { url, isNamed, profileOf, hub }: Candidate,
    kind: PageKind = isNamed ? 'team' : 'other',
  ): Promise<Visit | undefined> {
    const crawled = await this.#crawl.visit(url, kind)
    if (crawled && profileOf) crawled.page.profileOf = profileOf
    return crawled && { ...crawled, hub }
  }

  /**
   * Fetches the pages that belong to a team page: its next page and its people's profiles. If the page has no next page
   * and no profiles, fetches the pages of its subteams.
   */
  async #follow(visit: Visit): Promise<void> {
    this.titled += visit.links.people.titled
    const more = furtherPages(visit)
    await this.#followAll(more.length > 0 ? more : subpagesOf(visit))
  }

  async #followAll(links: readonly Candidate[]): Promise<void> {
    for (const link of links) {
      if (this.#isDone) return
      const visit = await this.#visit({ ...link, isNamed: true })
      if (!visit) continue
      this.titled += visit.links.people.titled
      if (visit.links.people.titled > 0 && !link.profileOf) await this.#followAll(furtherPages(visit))
    }
  }
}

/** Returns links to the next page of the list and to the profiles. */
const furtherPages = ({ links: { people } }: Visit): Candidate[] => [
  ...(people.next ? [{ url: people.next }] : []),
  ...people.profiles.map(({ url, name }) => ({ url, profileOf: name })),
]

function setKind({ page, documents }: Visit, kind: PageKind): void {
  for (const one of [page, ...documents]) one.kind = kind
}

/** Returns whether two pages are below the same path: `/team/chemistry` and `/team/support`. */
function areInOneFolder(one: Visit, other: Visit): boolean {
  const [a, b] = [one, other].map(({ page }) => new URL(page.url).pathname.split('/').filter(Boolean)) as [
    string[],
    string[],
  ]
  return a.length > 1 && b.length > 1 && a[0] === b[0]
}

const evidence = ({ links }: Visit): number => Math.max(links.people.titled, links.people.profiles.length)
const isTeam = (visit: Visit): boolean => evidence(visit) >= FEW

/** Counts the people on a page, or on all visited pages linked from the same page: subteams, or one page per person. */
const support = (visit: Visit, visits: readonly Visit[]): number =>
  Math.max(
    evidence(visit),
    ...(visit.hub === undefined || visit.links.people.titled === 0
      ? []
      : [visits.filter(({ hub }) => hub === visit.hub).reduce((sum, { links }) => sum + links.people.titled, 0)]),
  )

const subpagesOf = ({ links, page }: Visit): Candidate[] => links.people.subpages.map((url) => ({ url, hub: page.url }))

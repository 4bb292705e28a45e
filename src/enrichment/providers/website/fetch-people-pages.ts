import type { Crawl, CrawledPage, FetchedSite } from './crawl.ts'
import { crawlPage, isKnown } from './crawl.ts'
import type { PageLink } from './find-pages.ts'

/** Maximum number of pages fetched because their link names a team. */
const MAX_NAMED = 3
/** Maximum number of pages fetched although their link does not name a team. */
const MAX_EXPLORED = 6
const MAX_DEAD_LINKS = 3
/**
 * Minimum number of people with titles that identifies the team page with certainty. A page with at least `FEW` people
 * is chosen only if no other page has more.
 */
const ENOUGH = 3
const FEW = 2

interface Candidate extends PageLink {
  /** Whether the link names a team. */
  isNamed?: boolean
  profileOf?: string
  /** The page that links to this page and is above it in the path. */
  hub?: string
}

interface Visit extends CrawledPage {
  hub: string | undefined
}

/**
 * Fetches pages that list people: pages whose links name a team, otherwise pages with the highest-ranked links. Among
 * the latter, the page with the most titled people is the team page. Then fetches the team page's next pages, profiles
 * and sibling teams.
 */
export async function fetchPeoplePages(
  crawl: Crawl,
  site: FetchedSite,
  named: readonly PageLink[],
  ranked: readonly PageLink[],
  maxPeople: number,
): Promise<void> {
  const search = new PeopleSearch(crawl, site, maxPeople)
  const hubs: Candidate[] = []
  for (const link of named.slice(0, MAX_NAMED + MAX_DEAD_LINKS)) {
    if (search.isDone || search.teamPages >= MAX_NAMED) break
    const visit = await search.visit({ ...link, isNamed: true })
    if (!visit) continue
    search.teamPages += 1
    if (isTeam(visit)) await search.follow(visit)
    else hubs.push(...subpagesOf(visit))
  }
  if (search.titled >= FEW) return
  await search.explore([...hubs, ...ranked])
}

class PeopleSearch {
  readonly #crawl: Crawl
  readonly #site: FetchedSite
  readonly #maxPeople: number
  titled = 0
  teamPages = 0
  #deadLinks = 0

  constructor(crawl: Crawl, site: FetchedSite, maxPeople: number) {
    this.#crawl = crawl
    this.#site = site
    this.#maxPeople = maxPeople
  }

  get isDone(): boolean {
    return this.titled >= this.#maxPeople || this.#deadLinks >= MAX_DEAD_LINKS || this.#crawl.budget.left <= 0
  }

  async visit(link: Candidate): Promise<Visit | undefined> {
    if (isKnown(this.#site, link.url)) return undefined
    const failures = this.#site.failures.length
    const crawled = await crawlPage(this.#crawl, this.#site, link.url, link.isNamed ? 'team' : 'other')
    if (crawled && link.profileOf) crawled.page.profileOf = link.profileOf
    if (this.#site.failures.length > failures) this.#deadLinks += 1
    return crawled && { ...crawled, hub: link.hub }
  }

  /** Visits candidates until one is clearly the team page, and follows the links of the best candidate. */
  async explore(candidates: readonly Candidate[]): Promise<void> {
    const queue = [...candidates]
    const visits: Visit[] = []
    while (!this.isDone && visits.length < MAX_EXPLORED) {
      const link = queue.shift()
      if (!link) break
      const visit = await this.visit(link)
      if (!visit) continue
      visits.push(visit)
      if (isClearlyTeam(visit)) break
      // Subpages are inserted in the middle of the queue. They are more specific than the remaining menu links, but may
      // be articles or products.
      if (visit.links.people.titled === 0)
        queue.splice(Math.min(queue.length, MAX_EXPLORED / 2), 0, ...subpagesOf(visit))
    }
    const best = visits.toSorted((a, b) => evidence(b) - evidence(a))[0]
    if (!best || !isTeam(best)) return
    best.page.kind = 'team'
    await this.follow(best)
    const siblings = queue.filter(({ hub, url }) => best.hub !== undefined && hub === best.hub && url !== best.page.url)
    for (const visit of visits)
      if (visit !== best && best.hub !== undefined && visit.hub === best.hub) visit.page.kind = 'team'
    await this.#followAll(siblings)
  }

  /**
   * Fetches the pages that belong to a team page: its next page and its people's profiles, or otherwise its subteams.
   */
  async follow(visit: Visit): Promise<void> {
    this.titled += visit.links.people.titled
    const more = furtherPages(visit)
    await this.#followAll(more.length > 0 ? more : subpagesOf(visit))
  }

  async #followAll(links: readonly Candidate[]): Promise<void> {
    for (const link of links) {
      if (this.isDone) return
      const visit = await this.visit({ ...link, isNamed: true })
      if (!visit) continue
      this.titled += visit.links.people.titled
      if (visit.links.people.titled > 0 && !link.profileOf) await this.#followAll(furtherPages(visit))
    }
  }
}

/** Returns links to the next page of the list and to the profiles. */
const furtherPages = ({ links: { people } }: Visit): Candidate[] => [
  ...(people.next ? [{ kind: 'team' as const, url: people.next, score: 0 }] : []),
  ...people.profiles.map(({ url, name }): Candidate => ({ kind: 'team', url, score: 0, profileOf: name })),
]

const evidence = ({ links }: Visit): number => Math.max(links.people.titled, links.people.profiles.length)
const isTeam = (visit: Visit): boolean => evidence(visit) >= FEW
const isClearlyTeam = (visit: Visit): boolean => evidence(visit) >= ENOUGH

const subpagesOf = ({ links, page }: Visit): Candidate[] =>
  links.people.subpages.map((url) => ({ kind: 'team', url, score: 0, hub: page.url }))

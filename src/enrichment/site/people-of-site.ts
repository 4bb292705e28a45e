import { extractPeople } from '../people/extract-people.ts'
import { findAddresses } from '../people/find-addresses.ts'
import { inferEmails } from '../people/infer-emails.ts'
import { mergePeople, rankPeople } from '../people/merge-people.ts'
import type { PersonObservation } from '../provider.ts'
import type { Site, SitePage } from './read-site.ts'

export interface SiteReader {
  domain: string
  /** Names that the company is known by. */
  names: readonly string[]
  observed_at: string
}

/**
 * The people that a site shows, the most senior first. Team pages count first, then "about"; the home page is read for machines
 * only when nothing else names anybody, as its faces are often clients'. Addresses that the site does not print are inferred
 * from those that it does, and marked as such.
 */
export async function peopleOfSite(
  site: Site,
  reader: SiteReader,
  limit: number,
  receivesMail: (domain: string) => Promise<boolean | null>,
): Promise<PersonObservation[]> {
  const on = (kinds: readonly SitePage['kind'][]): PersonObservation[] =>
    site.pages
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ page, items }) =>
        extractPeople(page, items, { ...reader, domain: site.siteDomain, source: 'website' }),
      )
  const inSight = on(['team', 'about'])
  const marked = on(['home', 'contact']).filter(({ method }) => inSight.length === 0 || method !== 'page')
  const people = mergePeople([...inSight, ...marked])
  const addresses = site.pages.flatMap(({ html }) => findAddresses(html))
  return rankPeople(
    await inferEmails(people, { domain: site.siteDomain, addresses: [...new Set(addresses)], receivesMail }),
    limit,
  )
}

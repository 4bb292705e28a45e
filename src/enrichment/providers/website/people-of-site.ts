import type { PersonObservation } from '../../../findings/provider.ts'
import type { DerivedEmails } from '../../people/emails/derive-emails.ts'
import { deriveEmails } from '../../people/emails/derive-emails.ts'
import { findAddresses } from '../../people/emails/find-addresses.ts'
import { extractPeople } from '../../people/extract-people.ts'
import { mergePeople, rankPeople } from '../../people/merge-people.ts'
import type { Site, SitePage } from './parse-site.ts'

export interface SiteContext {
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
export function peopleOfSite(site: Site, context: SiteContext, limit: number): DerivedEmails {
  const on = (kinds: readonly SitePage['kind'][]): PersonObservation[] =>
    site.pages
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ page, items }) =>
        extractPeople(page, items, { ...context, domain: site.siteDomain, source: 'website' }),
      )
  const inSight = on(['team', 'about'])
  const marked = on(['home', 'contact']).filter(({ method }) => inSight.length === 0 || method !== 'page')
  const people = mergePeople([...inSight, ...marked])
  const addresses = site.pages.flatMap(({ html }) => findAddresses(html))
  const inferred = deriveEmails(people, { domain: site.siteDomain, addresses: [...new Set(addresses)] })
  return { ...inferred, people: rankPeople(inferred.people, limit) }
}

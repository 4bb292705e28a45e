import type { PersonObservation } from '../../../findings/provider.ts'
import type { DerivedEmails } from '../../people/emails/derive-emails.ts'
import { deriveEmails } from '../../people/emails/derive-emails.ts'
import { findAddresses } from '../../people/emails/find-addresses.ts'
import { extractPeople } from '../../people/extract-people.ts'
import { mergePeople, rankPeople } from '../../people/merge-people.ts'
import type { Site, SitePage } from './parse-site.ts'

export interface SiteContext {
  domain: string
  /** Known names of the company. */
  names: readonly string[]
  observed_at: string
}

/**
 * Extracts the people from a site's team, about and contact pages, most senior first. People found in the layout of
 * home and legal pages are often clients or officials, so they are used only if the other pages contain no people.
 * Missing email addresses are derived, and marked as derived.
 */
export function peopleOfSite(site: Site, context: SiteContext, limit: number): DerivedEmails {
  const on = (kinds: readonly SitePage['kind'][]): PersonObservation[] =>
    site.pages
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ kind, profileOf, page, items }) =>
        extractPeople(page, items, {
          ...context,
          domain: site.siteDomain,
          source: 'website',
          isTeamPage: kind === 'team',
          profileOf,
        }),
      )
  const main = on(['team', 'about', 'contact'])
  const others = on(['home', 'legal']).filter(({ method }) => main.length === 0 || method !== 'page')
  const people = mergePeople([...main, ...others])
  const addresses = site.pages.flatMap(({ html }) => findAddresses(html))
  const inferred = deriveEmails(people, { domain: site.siteDomain, addresses: [...new Set(addresses)] })
  return { ...inferred, people: rankPeople(inferred.people, limit) }
}

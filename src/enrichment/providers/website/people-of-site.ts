import type { DerivedEmails } from '../../people/emails/derive-emails.ts'
import { deriveEmails } from '../../people/emails/derive-emails.ts'
import { findAddresses } from '../../people/emails/find-addresses.ts'
import { extractPeople } from '../../people/extract-people.ts'
import { mergePeople, rankPeople } from '../../people/merge-people.ts'
import type { Site } from './parse-site.ts'

export interface SiteContext {
  domain: string
  /** Known names of the company. */
  names: readonly string[]
  observed_at: string
}

/**
 * Extracts the people from all pages of a site, most senior first. Missing email addresses are derived, and marked as
 * derived.
 */
export function peopleOfSite(site: Site, context: SiteContext, limit: number): DerivedEmails {
  const people = mergePeople(
    site.pages.flatMap(({ kind, profileOf, page, items }) =>
      extractPeople(page, items, {
        ...context,
        domain: site.siteDomain,
        source: 'website',
        isTeamPage: kind === 'team',
        profileOf,
      }),
    ),
  )
  const addresses = site.pages.flatMap(({ html }) => findAddresses(html))
  const inferred = deriveEmails(people, { domain: site.siteDomain, addresses: [...new Set(addresses)] })
  return { ...inferred, people: rankPeople(inferred.people, limit) }
}

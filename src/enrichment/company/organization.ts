import { getDomain } from 'tldts'
import { ORGANISATION_TYPES } from '../extract/organisation-types.ts'
import type { StructuredItem } from '../extract/structured-item.ts'
import { allItems, itemsOf, textsOf } from '../extract/structured-item.ts'
import { labelOf, squeeze } from './own-name.ts'

export const isOrganisation = ({ types }: StructuredItem): boolean => types.some((type) => ORGANISATION_TYPES.has(type))

/**
 * Finds the item that describes the site's own company. Pages also describe clients, partners and publishers, so items
 * that refer to another domain are ignored. An item without evidence for this site is used only if the page describes
 * no organization with another name.
 */
export function ownOrganisation(items: readonly StructuredItem[], domain: string): StructuredItem | undefined {
  const all = allItems(items)
  const candidates = all.filter((item) => isOrganisation(item) && textsOf(item, 'name').length > 0)
  // The author named in a site's structured data is often the agency that built the site.
  const authors = new Set(all.flatMap((item) => [...itemsOf(item, 'author'), ...itemsOf(item, 'creator')]))
  const scored = candidates
    .map((item) => ({ item, score: score(item, domain, items) }))
    .filter(({ item, score: points }) => points >= (authors.has(item) ? EVIDENCE : Number.EPSILON))
    .toSorted((a, b) => b.score - a.score)
  const [best, ...others] = scored
  const nameOf = (item: StructuredItem): string => squeeze(textsOf(item, 'name')[0] ?? '')
  const isOneOfMany = others.some(
    ({ item, score: points }) => points >= 1 && nameOf(item) !== nameOf(best?.item ?? item),
  )
  return best && (best.score >= EVIDENCE || !isOneOfMany) ? best.item : undefined
}

/** Minimum score for an item whose name, URL or email address matches the domain. */
const EVIDENCE = 2

function score(item: StructuredItem, domain: string, top: readonly StructuredItem[]): number {
  const addresses = [
    ...textsOf(item, 'url'),
    item.id ?? '',
    ...textsOf(item, 'email').map((mail) => mail.replace(/^mailto:|^.*@/g, '')),
  ]
  const domains = addresses
    .map((address) => getDomain(address.replace(/^mailto:.*@/, '')))
    .filter((found) => found !== null)
  if (domains.length > 0 && !domains.includes(domain)) return 0
  const nameFits = squeeze(textsOf(item, 'name')[0] ?? '').includes(labelOf(domain)) ? 2 : 0
  const isTop = top.includes(item) ? 1 : 0
  const isKnown = domains.includes(domain) ? 4 : 0
  const details = ['address', 'telephone', 'legalName', 'numberOfEmployees', 'foundingDate', 'sameAs', 'logo'].filter(
    (name) => item.properties[name],
  )
  return isKnown + nameFits + isTop + details.length / 10 + (itemsOf(item, 'employee').length > 0 ? 0.1 : 0)
}

/** Returns the names of the site's company and of the site, as stated in structured data. */
export function statedNames(items: readonly StructuredItem[], domain: string): string[] {
  const own = ownOrganisation(items, domain)
  const sites = allItems(items).filter(({ types }) => types.includes('WebSite'))
  return [...new Set([...(own ? [own] : []), ...sites].flatMap((item) => textsOf(item, 'name').slice(0, 1)))]
}

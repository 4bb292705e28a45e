import type { Observation } from '../../../findings/provider.ts'
import { extractCompany } from '../../company/extract-company.ts'
import type { Site, SitePage } from './parse-site.ts'

/** Confidence factor applied if the domain redirects to another domain, which often belongs to a parent company. */
const REDIRECTED = 0.8

/** Page kinds in descending order of the reliability of their facts. Other pages also describe branches and clients. */
const KINDS = ['home', 'about', 'contact', 'legal', 'team', 'other', 'news'] as const

const inOrder = (pages: readonly SitePage[]): SitePage[] =>
  pages.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))

/**
 * Extracts company fields from all pages of a site. For each method, a value is returned only once, from the first page
 * that contains the value.
 */
export function companyOfSite(site: Site, domain: string, observedAt: string): Observation[] {
  const seen = new Map<string, Observation>()
  for (const observation of extractCompany(inOrder(site.pages), site.siteDomain, observedAt)) {
    const key = `${observation.field} ${observation.method} ${String(observation.value).toLowerCase()}`
    if (!seen.has(key)) seen.set(key, observation)
  }
  const factor = site.siteDomain === domain ? 1 : REDIRECTED
  return dropEchoes([...seen.values()]).map((one) => ({
    ...one,
    confidence: Number((one.confidence * factor).toFixed(3)),
  }))
}

/**
 * Keeps values from text and meta tags only from the first page that has the field, because later pages describe
 * branches and clients.
 */
function dropEchoes(observations: Observation[]): Observation[] {
  const first = new Map<string, string | null>()
  return observations.filter(({ field, method, url }) => {
    if (method !== 'page' && method !== 'opengraph') return true
    const key = `${field.startsWith('headquarters_') ? 'headquarters' : field} ${method}`
    if (!first.has(key)) first.set(key, url)
    return first.get(key) === url
  })
}

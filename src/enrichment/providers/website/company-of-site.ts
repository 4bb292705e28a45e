import type { Observation } from '../../../findings/provider.ts'
import { extractCompany } from '../../company/extract-company.ts'
import type { Site } from './parse-site.ts'

/** A company whose domain leads to another's site is probably part of it: what is said there is less surely about this one. */
const MOVED = 0.8

/** What all pages of a site say of the company: each value once for each way it was read, where it stood first. */
export function companyOfSite(site: Site, domain: string, observedAt: string): Observation[] {
  const seen = new Map<string, Observation>()
  for (const { page, items } of site.pages)
    for (const observation of extractCompany(page, items, site.siteDomain, observedAt)) {
      const key = `${observation.field} ${observation.method} ${String(observation.value).toLowerCase()}`
      if (!seen.has(key)) seen.set(key, observation)
    }
  const trust = site.siteDomain === domain ? 1 : MOVED
  return dropEchoes([...seen.values()]).map((one) => ({
    ...one,
    confidence: Number((one.confidence * trust).toFixed(3)),
  }))
}

/** Of what was read from words, the first page that says it decides: later pages tell of branches, clients and their own titles. */
function dropEchoes(observations: Observation[]): Observation[] {
  const first = new Map<string, string | null>()
  return observations.filter(({ field, method, url }) => {
    if (method !== 'page' && method !== 'opengraph') return true
    const key = `${field.startsWith('headquarters_') ? 'headquarters' : field} ${method}`
    if (!first.has(key)) first.set(key, url)
    return first.get(key) === url
  })
}

import { LRUCache } from 'lru-cache'
import type { SampleCompany } from '../companies.ts'
import type { BuiltSite } from './build-site.ts'
import { buildSite } from './build-site.ts'
import type { SitePlan } from './plan.ts'
import { planSite } from './plan.ts'

/** The sites in a demo web, by host name. */
export interface Sites {
  /** The company domain and site plan for a host; undefined for unknown hosts. */
  plan(host: string): { domain: string; plan: SitePlan } | undefined
  /** Builds the site for a host, or returns the cached site. */
  open(host: string): BuiltSite | undefined
}

/** Maximum number of cached sites. Other sites are rebuilt on request. */
const CACHED_SITES = 200

export function openSites(seed: number, companies: readonly SampleCompany[]): Sites {
  const byDomain = new Map(companies.map((company) => [company.domain, company]))
  const built = new LRUCache<string, BuiltSite>({ max: CACHED_SITES })
  const ownerOf = (host: string): SampleCompany | undefined => byDomain.get(host.replace(/^www\./, ''))
  return {
    plan(host) {
      const company = ownerOf(host)
      return company && { domain: company.domain, plan: planSite(seed, company) }
    },
    open(host) {
      const company = ownerOf(host)
      if (!company) return undefined
      const site = built.get(company.domain) ?? buildSite(company, planSite(seed, company))
      built.set(company.domain, site)
      return site
    },
  }
}

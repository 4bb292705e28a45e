import { getDomain } from 'tldts'
import { rangeOfHeadcount } from '../../findings/headcount-range.ts'
import type { CompanyFields, Findings, Observation, Provider } from '../../findings/provider.ts'
import { isoMicros } from '../../lib/timestamps.ts'
import { normalizePhone } from '../company/links.ts'
import type { WebDeps } from './deps.ts'
import type { Entity } from './wikidata/entity.ts'
import {
  currentClaims,
  itemIn,
  labelOf,
  numberIn,
  P,
  qualifierItem,
  qualifierText,
  textIn,
  yearIn,
} from './wikidata/entity.ts'
import { WikibaseClient, WikibaseUnavailable } from './wikidata/wikibase-client.ts'

/**
 * Creates the provider that finds company fields in Wikidata by official website. The provider is disabled by default,
 * because Wikidata covers mostly large companies.
 */
export function createWikidataProvider({ fetcher, settings, clock }: WebDeps): Provider | null {
  const { enabled, base_url } = settings.wikidata
  if (!enabled) return null
  const client = new WikibaseClient(fetcher, base_url, clock)
  return {
    name: 'wikidata',
    groups: new Set(['company']),
    recheckAfterDays: 90,
    async find({ domain, clock: requestClock, signal }) {
      try {
        const ids = await client.findByStatement(P.website, websiteSpellings(domain), signal)
        const entities = (await client.entities(ids, signal)).filter((entity) => isWebsiteOf(entity, domain))
        const [entity] = entities
        if (!entity) return empty('not_found', 'no entry has this official website')
        // The match is ambiguous, because a parent company and its subsidiaries often share a website.
        if (entities.length > 1) return empty('not_found', `${entities.length} entries have this official website`)
        const labels = await client.labels(referredItems(entity), signal)
        const url = `${base_url.replace(/\/+$/, '')}/wiki/${entity.id}`
        const observations = observe(factsOf(entity, labels), url, isoMicros(requestClock.now()))
        return { ...empty(observations.length > 0 ? 'found' : 'not_found', null), observations }
      } catch (error) {
        if (error instanceof WikibaseUnavailable) return empty('unavailable', error.message)
        throw error
      }
    },
  }
}

const empty = (status: Findings['status'], reason: string | null): Findings => ({
  status,
  reason,
  observations: [],
  people: [],
  signals: [],
})

/**
 * Returns the common spellings of the website's URL. Wikidata compares URLs exactly, so one request searches for all
 * spellings.
 */
const websiteSpellings = (domain: string): string[] =>
  ['https', 'http'].flatMap((scheme) =>
    ['www.', ''].flatMap((prefix) => ['', '/'].map((end) => `${scheme}://${prefix}${domain}${end}`)),
  )

const isWebsiteOf = (entity: Entity, domain: string): boolean =>
  currentClaims(entity, P.website).some((claim) => getDomain(textIn(claim) ?? '') === domain)

function referredItems(entity: Entity): string[] {
  const seat = currentClaims(entity, P.headquarters)[0]
  return [
    itemIn(seat),
    qualifierItem(seat, P.country),
    itemIn(currentClaims(entity, P.country)[0]),
    itemIn(currentClaims(entity, P.industry)[0]),
  ].filter((id) => id !== undefined)
}

type Facts = { [Field in keyof CompanyFields]?: CompanyFields[Field] | undefined }

function factsOf(entity: Entity, labels: ReadonlyMap<string, string>): Facts {
  const first = (property: string) => currentClaims(entity, property)[0]
  const label = (id: string | undefined): string | undefined => (id ? labels.get(id) : undefined)
  const seat = first(P.headquarters)
  const employees = numberIn(first(P.employees))
  const logo = textIn(first(P.logo))
  const profile = textIn(first(P.profile))
  const phone = textIn(first(P.phone))
  return {
    name: labelOf(entity),
    legal_name: textIn(first(P.officialName)),
    industry: label(itemIn(first(P.industry))),
    employee_count: employees,
    employee_range: employees === undefined ? undefined : rangeOfHeadcount(employees),
    headquarters_street: qualifierText(seat, P.street),
    headquarters_city: label(itemIn(seat)),
    headquarters_postal_code: qualifierText(seat, P.postalCode),
    headquarters_country: label(qualifierItem(seat, P.country) ?? itemIn(first(P.country))),
    phone: phone && normalizePhone(phone, undefined),
    social_url: profile && `https://www.linkedin.com/company/${profile.toLowerCase()}`,
    logo_url:
      logo && `https://commons.wikimedia.org/wiki/Special:FilePath/${encodeURIComponent(logo.replaceAll(' ', '_'))}`,
    founded_year: yearIn(first(P.inception)),
  }
}

/** Confidence by field. Values that change every year have a lower confidence, because Wikidata is often outdated. */
const CONFIDENCE: Partial<Record<keyof CompanyFields, number>> = {
  employee_count: 0.6,
  employee_range: 0.65,
  phone: 0.6,
  industry: 0.7,
}

function observe(facts: Facts, url: string, observedAt: string): Observation[] {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(
      ([field, value]) =>
        ({
          field,
          value,
          source: 'wikidata',
          url,
          observed_at: observedAt,
          method: 'statement',
          confidence: CONFIDENCE[field as keyof CompanyFields] ?? 0.85,
        }) as Observation,
    )
}

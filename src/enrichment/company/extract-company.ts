import { getPublicSuffix } from 'tldts'
import type { CompanyField, CompanyFields, Observation } from '../../findings/provider.ts'
import { isAdmissible } from '../../findings/sanitize.ts'
import type { Page } from '../extract/page.ts'
import { absoluteUrl, linesOf, tidy } from '../extract/page.ts'
import type { StructuredFormat, StructuredItem } from '../extract/structured-item.ts'
import { isTemplate, itemsOf, textsOf } from '../extract/structured-item.ts'
import type { Address } from './address.ts'
import { addressOfItem } from './address.ts'
import { countryCode, countryName } from './countries.ts'
import type { Headcount } from './employees.ts'
import { headcountOfItem } from './employees.ts'
import { readFacts } from './facts/read-facts.ts'
import { yearOfDate } from './founding.ts'
import { industryInText } from './industry.ts'
import { companyProfile, logoOnPage, normalizePhone, profileOnPage } from './links.ts'
import { namePartOf } from './names.ts'
import { ownOrganisation, statedNames } from './organization.ts'

/**
 * Confidence of values from structured data, by format. The confidence is higher than for values read from the page's
 * text.
 */
const CONFIDENCE: Record<StructuredFormat, number> = { 'json-ld': 0.97, microdata: 0.96, rdfa: 0.96, 'h-card': 0.95 }

type Found = { [Field in CompanyField]?: CompanyFields[Field] | undefined }

/** A page of a company's site and its structured items (see `structuredDataOf`). */
export interface CompanyPage {
  page: Page
  items: readonly StructuredItem[]
}

/**
 * Extracts company fields from the pages of the company's site, home page first. Telephone numbers, countries, states
 * and profile URLs are normalized; other values are kept as published.
 */
export function extractCompany(pages: readonly CompanyPage[], domain: string, observedAt: string): Observation[] {
  const stated = [...new Set(pages.flatMap(({ items }) => statedNames(items, domain)))]
  const facts = readFacts(
    pages.map(({ page }) => page),
    domain,
    stated,
  )
  const hasPhrase = facts.some(({ field }) => field === 'industry')
  const hasName = facts.some(({ field }) => field === 'name')
  const marked = pages
    .flatMap(({ page, items }) => fromMarkup(page, items, domain, observedAt))
    // A phrase of the site is more specific than a category derived from words, however probable it is.
    .filter(({ field, method }) => !(hasPhrase && field === 'industry' && method === 'page'))
    // The model of names considers the name in the meta elements too.
    .filter(({ field, method }) => !(hasName && field === 'name' && method === 'opengraph'))
  const located = [...marked, ...facts].filter(({ field }) => field === 'headquarters_city')
  const hasCountry = [...marked, ...facts].some(({ field }) => field === 'headquarters_country')
  // A national top-level domain determines the country of addresses that do not name a country.
  const country = located.length > 0 && !hasCountry ? countryOfDomain(domain) : undefined
  if (country) facts.push({ field: 'headquarters_country', value: countryName(country), page: 0, confidence: 0.85 })
  return [
    ...marked,
    ...facts.flatMap(({ field, value, page, confidence }) => {
      const url = pages[page]?.page.url ?? ''
      return isAdmissible(field, value)
        ? [{ field, value, source: 'website', url, observed_at: observedAt, method: 'text', confidence } as Observation]
        : []
    }),
  ]
}

function fromMarkup(page: Page, items: readonly StructuredItem[], domain: string, observedAt: string): Observation[] {
  const own = ownOrganisation(items, domain)
  const structured = own ? fromItem(own, domain) : {}
  const meta = fromMeta(page, domain)
  return [
    ...(own ? observe(structured, own.format, () => CONFIDENCE[own.format]) : []),
    ...observe(meta, 'opengraph', (field) => (field === 'name' ? 0.9 : 0.88)),
    ...observe(fromLayout(page), 'page', (field) => READ[field] ?? 0),
  ]
  function observe(found: Found, method: string, confidence: (field: CompanyField) => number): Observation[] {
    return Object.entries(found).flatMap(([key, value]) => {
      const field = key as CompanyField
      if (!isAdmissible(field, value)) return []
      return [
        {
          field,
          value,
          source: 'website',
          url: page.url,
          observed_at: observedAt,
          method,
          confidence: confidence(field),
        } as Observation,
      ]
    })
  }
}

/** Confidence of fields read from a page's layout, and of an industry read from its text. Set by hand. */
const READ: Partial<Record<CompanyField, number>> = { industry: 0.6, social_url: 0.94, logo_url: 0.85 }

function fromItem(item: StructuredItem, domain: string): Found {
  if (isTemplate(item)) return {}
  const first = (...properties: string[]): string | undefined =>
    properties.flatMap((property) => textsOf(item, property))[0]
  const address = addressOfItem(item)
  const country = countryCode(address?.country ?? '') ?? countryOfDomain(domain)
  const image = itemsOf(item, 'logo')[0]
  const logo = image ? (textsOf(image, 'url')[0] ?? textsOf(image, 'contentUrl')[0]) : first('logo')
  const phone = first('telephone') ?? itemsOf(item, 'contactPoint').flatMap((point) => textsOf(point, 'telephone'))[0]
  return {
    name: first('name'),
    legal_name: first('legalName'),
    description: first('description'),
    industry: first('industry'),
    ...headcount(headcountOfItem(item)),
    ...headquarters(address),
    phone: phone && normalizePhone(phone, country),
    social_url: [...textsOf(item, 'sameAs'), ...textsOf(item, 'url')]
      .map(companyProfile)
      .find((url) => url !== undefined),
    logo_url: logo && /^https?:/.test(logo) ? logo : undefined,
    founded_year: yearOfDate(first('foundingDate') ?? ''),
  }
}

/** Matches placeholder titles from website templates. */
const NO_NAME = /^(?:(?:my |our )?(?:web ?site|site|blog|home ?page|shop|store)|home|wordpress|index|untitled)$/i

function fromMeta({ $, base }: Page, domain: string): Found {
  const content = (name: string): string | undefined => {
    const text = $(`meta[property="${name}" i], meta[name="${name}" i]`).first().attr('content')
    return text ? tidy(text) || undefined : undefined
  }
  const logo = content('og:logo')
  const name = [content('og:site_name'), content('application-name')].find((text) => text && !NO_NAME.test(text))
  return {
    name: name && namePartOf(name, domain),
    description: content('og:description') ?? content('description'),
    logo_url: logo && absoluteUrl(logo, base),
  }
}

function fromLayout(page: Page): Found {
  const { $ } = page
  // Paragraphs are excluded, because they also mention the industries of customers and suppliers.
  const about = [
    $('meta[name="description" i], meta[property="og:description" i]').first().attr('content') ?? '',
    ...linesOf($('title, h1')),
  ].join('\n')
  return {
    industry: industryInText(about),
    social_url: profileOnPage(page),
    logo_url: logoOnPage(page),
  }
}

const headcount = (found: Headcount | undefined): Found =>
  found ? { employee_count: found.count, employee_range: found.range } : {}

const headquarters = (address: Address | undefined): Found => ({
  headquarters_street: address?.street,
  headquarters_city: address?.city,
  headquarters_state: address?.state,
  headquarters_postal_code: address?.postal_code,
  headquarters_country: address?.country,
})

/**
 * Returns the country of a two-letter top-level domain; undefined for top-level domains used worldwide, such as `.io`.
 */
function countryOfDomain(domain: string): string | undefined {
  const suffix = (getPublicSuffix(domain) ?? '').split('.').at(-1) ?? ''
  if (!/^[a-z]{2}$/.test(suffix) || /^(io|ai|co|me|tv|fm|gg|ly|to|cc|ws)$/.test(suffix)) return undefined
  return countryCode(suffix.toUpperCase())
}
